package rubricem.protocol.port;

import java.util.Optional;

/** The policies of this node by their specification. */
public interface PolicyCatalog {
  /** Empty: the specification is unknown or may not be used here. */
  Optional<PolicyModel> find(String spec);
}
