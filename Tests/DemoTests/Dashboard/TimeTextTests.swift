import Dashboard
import Testing

struct TimeTextTests {
    @Test(
        arguments: [
            (nil, "--"), (.zero, "0:00"), (.milliseconds(1), "0:01"), (.seconds(51), "0:51"), (.seconds(60), "1:00"),
            (.seconds(3599), "59:59"), (.seconds(3723), "1:02:03"), (.seconds(86_400 * 2 + 3 * 3600), "2d 3h"),
            (.seconds(-1), "--"),
        ] as [(Duration?, String)])
    func `A remaining time looks like a clock`(duration: Duration?, text: String) {
        #expect(TimeText.clock(duration) == text)
    }

    @Test(
        arguments: [
            (.zero, "0.0 s"), (.milliseconds(449), "0.4 s"), (.milliseconds(51_230), "51.2 s"),
            (.milliseconds(59_960), "1 min 0 s"),
            (.seconds(185), "3 min 5 s"), (.seconds(8040), "2 h 14 min"), (.seconds(-3), "0.0 s"),
        ] as [(Duration, String)])
    func `An elapsed time has units`(duration: Duration, text: String) {
        #expect(TimeText.elapsed(duration) == text)
    }

    @Test(
        arguments: [
            (.zero, "0 s"), (.milliseconds(449), "0.4 s"), (.seconds(2), "2 s"), (.milliseconds(2040), "2 s"),
            (.milliseconds(9940), "9.9 s"), (.milliseconds(9960), "10 s"), (.milliseconds(12_300), "13 s"),
            (.seconds(185), "3 min 5 s"), (.seconds(-3), "0 s"),
        ] as [(Duration, String)])
    func `A short delay has tenths of a second`(duration: Duration, text: String) {
        #expect(TimeText.delay(duration) == text)
    }

    @Test(
        arguments: [
            (.zero, "0 s"), (.milliseconds(1), "1 s"), (.seconds(12), "12 s"), (.milliseconds(59_001), "1 min 0 s"),
            (.seconds(185), "3 min 5 s"), (.seconds(-3), "0 s"),
        ] as [(Duration, String)])
    func `A countdown has whole seconds`(duration: Duration, text: String) {
        #expect(TimeText.countdown(duration) == text)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.min), .seconds(Int64.max) + .seconds(Int64.max)])
    func `Any duration has a text`(duration: Duration) {
        let texts = [
            TimeText.clock(duration), TimeText.elapsed(duration), TimeText.delay(duration),
            TimeText.countdown(duration),
        ]
        #expect(texts.allSatisfy { !$0.isEmpty })
    }
}
