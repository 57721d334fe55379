package rubricem.gpu.verify;

import ai.djl.Device;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Where a verification computes and what it may use.
 *
 * @param scratch an empty folder that the caller removes
 * @param checks each comparison as it is made
 * @param notes what is worth saying and is no comparison
 */
record Places(
    Device device, Path scratch, LongSupplier nanos, Consumer<Check> checks,
    Consumer<String> notes) {}
