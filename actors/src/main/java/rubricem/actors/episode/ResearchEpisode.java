package rubricem.actors.episode;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.pattern.StatusReply;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.RecoveryCompleted;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.Effect;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.apache.pekko.persistence.typed.javadsl.SignalHandler;
import rubricem.actors.episode.PrivateMessage.HistoryRead;
import rubricem.actors.episode.PrivateMessage.HistoryWanted;
import rubricem.actors.episode.PrivateMessage.InputCame;
import rubricem.actors.episode.PrivateMessage.LeaveMemory;
import rubricem.actors.episode.PrivateMessage.LookAtWait;
import rubricem.actors.episode.PrivateMessage.Stop;
import rubricem.actors.episode.PrivateMessage.TextCame;
import rubricem.actors.episode.PrivateMessage.TurnVoid;
import rubricem.actors.episode.PrivateMessage.WatcherGone;
import rubricem.persistence.episode.EpisodeFold;
import rubricem.persistence.episode.EpisodeProjection;
import rubricem.persistence.episode.EpisodeState;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeCommand;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.episode.EpisodeProgress.EventStored;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.episode.Episodes;
import rubricem.protocol.port.StorageUnavailable;
import rubricem.protocol.port.Tool;

/**
 * One episode as a sharded, event-sourced entity. It asks {@link EpisodeDecider} what each input
 * means, stores the events in one write, and then makes the state's pending call if it is not in
 * flight already: so a call is made only after its intent is on disk, and after a crash exactly the
 * pending one is made again. It keeps itself remembered until its terminal event and leaves memory
 * by itself after that. It decides nothing and reads no texts.
 */
public final class ResearchEpisode
    extends EventSourcedBehavior<EpisodeCommand, EpisodeEvent, EpisodeState> {
  /** How long an episode that does not run stays in memory for more questions. */
  private static final Duration IDLE = Duration.ofSeconds(5);

  /**
   * The longest pause after writes that fail. A command waits for one, and where its own write
   * fails for another: both together must end well before whoever sent it gives up.
   */
  private static final Duration RESTART_LATEST = Duration.ofSeconds(4);

  /** A history that cannot be read now is read again after this. */
  private static final Duration READ_AGAIN = Duration.ofSeconds(1);

  /** Stored events read at once for a watcher. */
  private static final int HISTORY_PAGE = 200;

  private final EpisodeId id;
  private final ActorContext<EpisodeCommand> context;
  private final TimerScheduler<EpisodeCommand> timers;
  private final ActorRef<ClusterSharding.ShardCommand> shard;
  private final EpisodePorts ports;
  private final EpisodeDecider decider;
  private final EpisodeWatchers watchers = new EpisodeWatchers();
  private final CallInFlight call;
  private final WriteUnderWay write = new WriteUnderWay();

  /** The message that ends an entity; sharding sends it. */
  public static EpisodeCommand stopMessage() {
    return Stop.NOW;
  }

  public static Behavior<EpisodeCommand> create(
      EpisodeId id,
      PersistenceId persistenceId,
      ActorRef<ClusterSharding.ShardCommand> shard,
      EpisodePorts ports,
      EpisodeSettings settings) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers ->
                    new ResearchEpisode(
                        id, persistenceId, context, timers, shard, ports, settings)));
  }

  private ResearchEpisode(
      EpisodeId id,
      PersistenceId persistenceId,
      ActorContext<EpisodeCommand> context,
      TimerScheduler<EpisodeCommand> timers,
      ActorRef<ClusterSharding.ShardCommand> shard,
      EpisodePorts ports,
      EpisodeSettings settings) {
    super(
        persistenceId,
        SupervisorStrategy.restartWithBackoff(
            Duration.ofMillis(200), RESTART_LATEST, 0.2));
    this.id = id;
    this.context = context;
    this.timers = timers;
    this.shard = shard;
    this.ports = ports;
    this.decider = new EpisodeDecider(settings);
    this.call =
        new CallInFlight(
            context, timers, decider, new EpisodeCalls(ports, settings), watchers, ports.clock());
  }

  @Override
  public EpisodeState emptyState() {
    return EpisodeState.EMPTY;
  }

  @Override
  public EventHandler<EpisodeState, EpisodeEvent> eventHandler() {
    return EpisodeFold::apply;
  }

  @Override
  public SignalHandler<EpisodeState> signalHandler() {
    return newSignalHandlerBuilder()
        .onSignal(RecoveryCompleted.instance(), this::onRecovered)
        .build();
  }

  private void onRecovered(EpisodeState state) {
    write.recovered(state.events()).ifPresent(asker -> reply(state, asker));
    write.nudge(context.getSelf());
    call.recovered(state);
    watchers.behind(state.events()).forEach(this::readHistory);
    if (state.running()) {
      context.getSelf().tell(new InputCame(EpisodeInput.Recovered.INPUT));
    } else {
      settle(state);
    }
  }

  @Override
  public CommandHandler<EpisodeCommand, EpisodeEvent, EpisodeState> commandHandler() {
    return this::onCommand;
  }

  private Effect<EpisodeEvent, EpisodeState> onCommand(EpisodeState state, EpisodeCommand command) {
    return switch (command) {
      case EpisodeCommand.StartEpisode start -> onStart(state, start);
      case EpisodeCommand.DescribeEpisode describe -> {
        reply(state, describe.replyTo());
        yield settled(state);
      }
      case EpisodeCommand.WatchEpisode watch -> onWatch(state, watch);
      case EpisodeCommand.CancelEpisode cancel ->
          onInput(state, EpisodeInput.Cancel.INPUT, Optional.of(cancel.replyTo()));
      case EpisodeCommand.FinishEpisode finish ->
          onInput(state, EpisodeInput.Finish.INPUT, Optional.of(finish.replyTo()));
      case EpisodeCommand.ResumeEpisode resume ->
          onInput(
              state, new EpisodeInput.Resume(resume.policy()), Optional.of(resume.replyTo()));
      case EpisodeCommand.Internal internal -> onPrivate(state, (PrivateMessage) internal);
    };
  }

  private Effect<EpisodeEvent, EpisodeState> onPrivate(EpisodeState state, PrivateMessage message) {
    return switch (message) {
      case InputCame came -> {
        call.came(came.input());
        if (call.stillMade(state, came.input())) {
          call.act(state); // sets the timers again
          yield Effect().none();
        }
        yield onInput(state, came.input(), Optional.empty());
      }
      case TextCame text -> {
        watchers.progress(new EpisodeProgress.TextGenerated(text.callId(), text.delta()));
        yield Effect().none();
      }
      case TurnVoid gone -> {
        watchers.progress(new EpisodeProgress.TurnRestarted(gone.callId(), gone.reason()));
        yield Effect().none();
      }
      case WatcherGone gone -> {
        watchers.remove(gone.watcher());
        call.watched(watchers.any());
        yield Effect().none();
      }
      case HistoryRead read -> onHistory(state, read);
      case HistoryWanted wanted -> {
        readHistory(wanted.watcher());
        yield Effect().none();
      }
      case LookAtWait look -> {
        call.onLookAtWait(state, look.callId());
        yield Effect().none();
      }
      case LeaveMemory leave -> {
        if (watchers.any()) {
          yield settled(state);
        }
        if (!state.running()) {
          shard.tell(new ClusterSharding.Passivate<>(context.getSelf()));
        }
        yield Effect().none();
      }
      case PrivateMessage.Nudge nudge -> Effect().none();
      case Stop stop -> {
        call.giveUp(state);
        yield Effect().stop();
      }
    };
  }

  private Effect<EpisodeEvent, EpisodeState> onStart(
      EpisodeState state, EpisodeCommand.StartEpisode start) {
    EpisodeRequest request = start.request();
    if (state.started().isPresent()) {
      if (!state.request().equals(request)) {
        start.replyTo().tell(
            StatusReply.error("episode " + id + " exists and asks something else"));
      } else {
        reply(state, start.replyTo());
      }
      return settled(state);
    }
    try {
      return onInput(state, begin(request), Optional.of(start.replyTo()));
    } catch (StorageUnavailable e) {
      context.getLog().warn("episode {} cannot start", id, e);
      start.replyTo().tell(StatusReply.error(Episodes.NotStored.SAID));
      return settled(state);
    } catch (RuntimeException e) {
      context.getLog().warn("episode {} cannot start", id, e);
      start.replyTo().tell(
          StatusReply.error(
              "the episode cannot start: "
                  + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage())));
      return settled(state);
    }
  }

  private EpisodeInput begin(EpisodeRequest request) {
    List<Tool> tools = List.copyOf(ports.tools(request).values());
    return new EpisodeInput.Start(
        id, request, ports.prompts().system(tools).ref(),
        ports.prompts().format(request.format()).ref(),
        tools.stream().map(Tool::name).toList(), ports.corpus().apply(request));
  }

  private Effect<EpisodeEvent, EpisodeState> onInput(
      EpisodeState state,
      EpisodeInput input,
      Optional<ActorRef<StatusReply<EpisodeView>>> replyTo) {
    // what is stored has milliseconds: the living state must not know more than the recovered one
    Instant now = ports.clock().instant().truncatedTo(ChronoUnit.MILLIS);
    List<EpisodeEvent> events = decide(state, input, now);
    if (events.isEmpty()) {
      replyTo.ifPresent(to -> reply(state, to));
      call.act(state);
      return settled(state);
    }
    long before = state.events();
    write.begins(events.size(), before, replyTo);
    return Effect()
        .persist(events)
        .thenRun(
            next -> {
              write.ended();
              tellWatchers(before, events);
              if (next.stage() != state.stage()) {
                watchers.progress(new EpisodeProgress.StageEntered(next.stage()));
              }
              call.act(next);
              replyTo.ifPresent(to -> reply(next, to));
              settle(next);
            });
  }

  /** A defect of ours ends the episode with its evidence kept; it must not run for ever. */
  private List<EpisodeEvent> decide(EpisodeState state, EpisodeInput input, Instant now) {
    try {
      return decider.decide(state, input, now);
    } catch (RuntimeException e) {
      if (!state.running()) {
        throw e;
      }
      context.getLog().error("episode {} cannot take {}", id, input.getClass().getSimpleName(), e);
      return List.of(
          new EpisodeEvent.EpisodeFailed(
              now, "defect",
              "the episode failed inside RubricEM (" + e.getClass().getSimpleName()
                  + "); the evidence is kept, and the log has the details",
              state.finish().isPresent()));
    }
  }

  private void tellWatchers(long before, List<EpisodeEvent> events) {
    if (watchers.any()) {
      List<EventStored> stored = new ArrayList<>();
      for (EpisodeEvent event : events) {
        stored.add(new EventStored(before + stored.size() + 1, event));
      }
      watchers.stored(stored);
    }
  }

  private Effect<EpisodeEvent, EpisodeState> onWatch(
      EpisodeState state, EpisodeCommand.WatchEpisode watch) {
    context.watchWith(watch.watcher(), new WatcherGone(watch.watcher()));
    boolean behind = watchers.add(watch.watcher(), watch.after(), state.events());
    call.watched(true);
    if (behind) {
      readHistory(watch.watcher());
    }
    return settled(state);
  }

  private void readHistory(ActorRef<EpisodeProgress> watcher) {
    context.pipeToSelf(
        ports.log().read(id, watchers.told(watcher), HISTORY_PAGE),
        (events, failure) -> new HistoryRead(watcher, failure == null ? events : List.of()));
  }

  private Effect<EpisodeEvent, EpisodeState> onHistory(EpisodeState state, HistoryRead read) {
    if (watchers.history(read.watcher(), read.events(), state.events())) {
      if (read.events().isEmpty()) {
        var again = new HistoryWanted(read.watcher());
        timers.startSingleTimer(again, again, READ_AGAIN);
      } else {
        readHistory(read.watcher());
      }
    }
    return settled(state);
  }

  private Effect<EpisodeEvent, EpisodeState> settled(EpisodeState state) {
    settle(state);
    return Effect().none();
  }

  /** An episode that does not run says so to its watchers and leaves memory after a while. */
  private void settle(EpisodeState state) {
    if (state.running()) {
      return;
    }
    if (watchers.any() && watchers.allLive()) {
      watchers.end(
          new EpisodeProgress.WatchEnded(
              state.started().map(started -> EpisodeProjection.view(state))));
      call.watched(false);
    }
    timers.startSingleTimer("leave", LeaveMemory.NOW, IDLE);
  }

  private void reply(EpisodeState state, ActorRef<StatusReply<EpisodeView>> replyTo) {
    replyTo.tell(
        state.started().isEmpty()
            ? StatusReply.error("there is no episode " + id)
            : StatusReply.success(EpisodeProjection.view(state)));
  }
}
