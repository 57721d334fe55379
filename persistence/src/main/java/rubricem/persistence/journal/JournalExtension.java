package rubricem.persistence.journal;

import org.apache.pekko.actor.AbstractExtensionId;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Extension;
import org.apache.pekko.actor.ExtensionIdProvider;

/** The one database of an actor system; journal and snapshots share it. */
public final class JournalExtension implements Extension {
  private static final Id ID = new Id();

  private final JournalDatabase database;

  private JournalExtension(ExtendedActorSystem system) {
    this.database = JournalDatabase.open(DatabaseSettings.of(system.settings().config()));
    system.getWhenTerminated().whenComplete((done, failure) -> database.close());
  }

  public static JournalExtension get(ActorSystem system) {
    return ID.get(system);
  }

  public JournalDatabase database() {
    return database;
  }

  private static final class Id extends AbstractExtensionId<JournalExtension>
      implements ExtensionIdProvider {
    @Override
    public JournalExtension createExtension(ExtendedActorSystem system) {
      return new JournalExtension(system);
    }

    @Override
    public Id lookup() {
      return ID;
    }
  }
}
