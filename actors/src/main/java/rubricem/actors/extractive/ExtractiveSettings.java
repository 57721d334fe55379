package rubricem.actors.extractive;
public record ExtractiveSettings() { public static ExtractiveSettings defaults() { return new ExtractiveSettings(); } }
