import Testing

@testable import netqueue

@Suite("A list of URLs")
struct URLListTests {
    @Test func `has one a line, among blank lines and comments`() {
        let list = URLList(text: "\u{FEFF}http://a/1\r\n\r\n  # no\n\thttps://b/2#part \n\nHTTP://c", name: "x")
        #expect(list.urls.map(\.absoluteString) == ["http://a/1", "https://b/2#part", "http://c/"])
        #expect(list.badLines == [])
    }

    @Test func `tells which lines are not URLs`() {
        let list = URLList(text: "http://a/1\n\nftp://b/2\nhttp://:80/x\nexample.com/x", name: "x.txt")
        #expect(list.urls.count == 1)
        #expect(list.badLines.map(\.place) == ["x.txt:3", "x.txt:4", "x.txt:5"])
        #expect(list.badLines.map(\.text) == ["ftp://b/2", "http://:80/x", "example.com/x"])
    }

    @Test func `may have spaces and other scripts in its paths`() {
        let list = URLList(text: "http://a/b c/日本", name: "x")
        #expect(list.urls.map(\.absoluteString) == ["http://a/b%20c/%E6%97%A5%E6%9C%AC"])
    }

    @Test func `shows no password of a line that is refused`() {
        #expect(!URLText.complaint("http://user:mellon@h:99999/").contains("mellon"))
    }

    @Test func `may mix what is encoded with what is not`() {
        let list = URLList(text: "http://a/sub%20dir/mix [1].txt", name: "x")
        #expect(list.urls.map(\.absoluteString) == ["http://a/sub%20dir/mix%20%5B1%5D.txt"])
    }
}
