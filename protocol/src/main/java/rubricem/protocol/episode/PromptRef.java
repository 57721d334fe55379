package rubricem.protocol.episode;

/** Names the exact text of a prompt: the resource and the SHA-256 of its UTF-8 bytes, in hex. */
public record PromptRef(String name, String sha256) {}
