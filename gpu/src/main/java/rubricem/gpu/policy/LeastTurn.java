package rubricem.gpu.policy;

import java.util.List;
import rubricem.protocol.port.PolicyMessage;

/**
 * What a model must have room for to be of any use: the shortest history that it may be shown at a
 * stage, and the shortest turn that is an answer to it.
 *
 * @param stage its name, for people
 */
public record LeastTurn(
    String stage, String systemPrompt, List<PolicyMessage> messages, String turn) {}
