package rubricem.actors.episode;

import java.time.Duration;
import rubricem.actors.call.RetrySchedule;

/**
 * The bounds of an episode that its asker does not set; {@code rubricem.episode} in reference.conf.
 *
 * @param policyRetries and {@code toolRetries}: the schedule of each kind of call
 * @param unreachableRetries the same where the model cannot even be connected to and this episode
 *     never had an answer: an address may be wrong, and somebody waits
 * @param finalPolicyRetries the same once only the answer is missing
 * @param turnsBeyondToolCalls how many turns more than tool calls: rejected and served ones
 * @param servedMax how often an identical call is answered from the record before exploration ends
 * @param violationsInARow turns in a row that cannot be carried out before exploration ends
 * @param finalTurnsMax tries to answer once exploration has ended
 * @param finishReserve share of the time limit kept for the answer
 * @param finishReserveMax and the most of it
 * @param grace how long beyond its time limit an episode may still be writing
 * @param policyTimeout and {@code toolTimeout}: for one attempt
 * @param maxTokens most tokens of one turn
 * @param promptCharsMax most characters of the history shown to a policy
 * @param unreadableNamed how many unreadable documents are named in the record
 */
public record EpisodeSettings(
    RetrySchedule policyRetries,
    RetrySchedule unreachableRetries,
    RetrySchedule finalPolicyRetries,
    RetrySchedule toolRetries,
    int turnsBeyondToolCalls,
    int servedMax,
    int violationsInARow,
    int finalTurnsMax,
    double finishReserve,
    Duration finishReserveMax,
    Duration grace,
    Duration policyTimeout,
    Duration toolTimeout,
    int maxTokens,
    int promptCharsMax,
    int unreadableNamed) {}
