package rubricem.http.server;

import java.util.function.BiFunction;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import org.apache.pekko.http.javadsl.model.ResponseEntity;
import org.apache.pekko.http.javadsl.model.headers.Connection;
import org.apache.pekko.http.scaladsl.model.EntityStreamException;
import org.apache.pekko.http.scaladsl.model.ErrorInfo;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.BidiShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.stage.AbstractInHandler;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.apache.pekko.stream.stage.TimerGraphStageLogic;
import org.apache.pekko.util.ByteString;

/**
 * Stands between one connection and the routes, and closes the connection when it asks for nothing
 * in time. It counts only while nothing is being answered: from the start, or from the last byte of
 * an answer, until a whole head has become a request. So bytes that drip in renew nothing, and
 * neither a stream nor a request that waits for its report is ever cut here. Bodies have a patience
 * of their own, in {@link BodyReader}.
 */
final class ConnectionGate
    extends GraphStage<BidiShape<HttpRequest, HttpRequest, HttpResponse, HttpResponse>> {
  /** What the server's own words for a late head are asked for with; see {@link ProblemParsing}. */
  static final String LATE = "rubricem: the head of the request came too late";

  private static final Problem FULL =
      Problem.of(Problem.Kind.NOT_READY, "All connections are in use. Ask again in a moment.")
          .with("Retry-After", "1");

  private final Inlet<HttpRequest> requests = Inlet.create("gate.requests");
  private final Outlet<HttpRequest> asked = Outlet.create("gate.asked");
  private final Inlet<HttpResponse> answers = Inlet.create("gate.answers");
  private final Outlet<HttpResponse> responses = Outlet.create("gate.responses");
  private final BidiShape<HttpRequest, HttpRequest, HttpResponse, HttpResponse> shape =
      new BidiShape<>(requests, asked, answers, responses);
  private final EdgeSettings.Connections settings;
  private final ConnectionSlots slots;
  private final BiFunction<HttpRequest, Problem, HttpResponse> words;

  /** @param words writes a problem as whoever sent the request reads it */
  ConnectionGate(
      EdgeSettings.Connections settings, ConnectionSlots slots,
      BiFunction<HttpRequest, Problem, HttpResponse> words) {
    this.settings = settings;
    this.slots = slots;
    this.words = words;
  }

  @Override
  public BidiShape<HttpRequest, HttpRequest, HttpResponse, HttpResponse> shape() {
    return shape;
  }

  @Override
  public GraphStageLogic createLogic(Attributes attributes) {
    return new Watch();
  }

  private static boolean vital(HttpRequest request) {
    String path = request.getUri().path();
    return path.startsWith("/health/") || path.equals("/metrics");
  }

  private static boolean isStream(HttpResponse answer) {
    return answer.entity().getContentType().mediaType().equals(MediaTypes.TEXT_EVENT_STREAM);
  }

  private final class Watch extends TimerGraphStageLogic {
    private static final String PATIENCE = "patience";
    private final AsyncCallback<Long> answered = createAsyncCallback(this::answered);
    private final AsyncCallback<Done> makeRoom = createAsyncCallback(this::makeRoom);
    private final ConnectionSlots.Slot slot =
        new ConnectionSlots.Slot(() -> makeRoom.invoke(Done.getInstance()));

    /** Requests so far: an answer whose end is told late must not start the clock of the next. */
    private long asks;

    /** What is being answered, without its body. */
    private HttpRequest now = HttpRequest.create();

    private boolean busy;
    private boolean last;
    private boolean closing;

    private Watch() {
      super(shape);
      setHandler(requests, new Asking());
      setHandler(asked, new Wanted());
      setHandler(answers, new Answering());
      setHandler(responses, new Taken());
    }

    @Override
    public void preStart() {
      slots.enter(slot);
      scheduleOnce(PATIENCE, settings.headPatience());
    }

    @Override
    public void postStop() {
      slots.leave(slot);
    }

    @Override
    public void onTimer(Object key) {
      if (busy || closing) {
        return;
      }
      closing = true;
      slots.asks(slot);
      if (asks == 0) {
        slots.cut(ConnectionSlots.Cut.SLOW_HEAD);
        // the one failure that the library answers with what ProblemParsing says
        fail(responses, new EntityStreamException(new ErrorInfo(LATE, "")));
      } else {
        // an answer to nothing could be taken for that of a request which is on its way
        slots.cut(ConnectionSlots.Cut.IDLE);
        completeStage();
      }
    }

    private void makeRoom(Done now) {
      if (!busy && !closing && slots.mustGo(slot)) {
        slots.cut(ConnectionSlots.Cut.ROOM);
        completeStage();
      }
    }

    private void asks(HttpRequest request) {
      asks++;
      now = request.withEntity(HttpEntities.EMPTY);
      busy = true;
      cancelTimer(PATIENCE);
      last = !slots.asks(slot);
      if (last && !vital(request)) {
        closing = true;
        slots.cut(ConnectionSlots.Cut.FULL);
        request.discardEntityBytes(materializer());
        HttpResponse full = words.apply(request, FULL);
        emit(responses, full.addHeader(Connection.create("close")), this::completeStage);
      } else {
        push(asked, request.addAttribute(StreamPlace.KEY, this::mayStream));
      }
    }

    private boolean mayStream() {
      boolean may = slots.streams(slot);
      if (!may) {
        slots.cut(ConnectionSlots.Cut.STREAMS);
      }
      return may;
    }

    private void answered(long ask) {
      if (ask == asks && !closing) {
        busy = false;
        slots.waits(slot);
        scheduleOnce(PATIENCE, settings.keepAlivePatience());
      }
    }

    /** The library is ready for the next answer before the bytes of this one have gone. */
    private HttpResponse watched(HttpResponse answer) {
      HttpResponse response = last ? answer.addHeader(Connection.create("close")) : answer;
      if (isStream(answer) && !mayStream()) {
        answer.entity().getDataBytes().runWith(Sink.cancelled(), materializer());
        response = words.apply(now, StreamPlace.ALL_IN_USE);
      }
      ResponseEntity entity = response.entity();
      long ask = asks;
      if (entity.isStrict()) {
        answered(ask);
        return response;
      }
      Flow<ByteString, ByteString, NotUsed> watch =
          Flow.of(ByteString.class)
              .watchTermination(
                  (mat, done) -> {
                    done.whenComplete((end, failure) -> answered.invoke(ask));
                    return mat;
                  });
      // all streams of this server are chunked
      return response.withEntity(
          HttpEntities.createChunked(entity.getContentType(), entity.getDataBytes().via(watch)));
    }

    private final class Asking extends AbstractInHandler {
      @Override
      public void onPush() {
        HttpRequest request = grab(requests);
        if (closing) {
          request.discardEntityBytes(materializer());
        } else {
          asks(request);
        }
      }

      @Override
      public void onUpstreamFinish() {
        complete(asked);
      }
    }

    private final class Wanted extends AbstractOutHandler {
      @Override
      public void onPull() {
        if (!isClosed(requests) && !hasBeenPulled(requests)) {
          pull(requests);
        }
      }

      @Override
      public void onDownstreamFinish(Throwable cause) {
        cancel(requests, cause);
      }
    }

    private final class Answering extends AbstractInHandler {
      @Override
      public void onPush() {
        push(responses, watched(grab(answers)));
      }

      @Override
      public void onUpstreamFinish() {
        complete(responses);
      }
    }

    private final class Taken extends AbstractOutHandler {
      @Override
      public void onPull() {
        if (!isClosed(answers) && !hasBeenPulled(answers)) {
          pull(answers);
        }
      }

      @Override
      public void onDownstreamFinish(Throwable cause) {
        cancel(answers, cause);
      }
    }
  }
}
