package rubricem.http.fake;

import java.util.List;

/** Decides what the stand-in does with a request. Called by many requests at once. */
@FunctionalInterface
public interface FakeScript {
  /** @param request numbered from 1 over the life of the stand-in */
  FakeBehaviour behaviour(RecordedRequest request);

  /** One behaviour a request, in order; the last one goes on for ever. */
  static FakeScript inOrder(FakeBehaviour... behaviours) {
    List<FakeBehaviour> list = List.of(behaviours);
    return request -> list.get(Math.min(request.number(), list.size()) - 1);
  }

  /** The default for developers: a small researcher that answers any question. */
  static FakeScript researcher() {
    return request -> new FakeBehaviour.Answer(FakeResearcher.answer(request));
  }
}
