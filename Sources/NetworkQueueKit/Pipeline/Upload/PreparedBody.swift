/// A body that holds something while it is read.
protocol PreparedBody: ExchangeBody {
    /// Gives back what it holds; the next read takes it again. From any thread.
    func close()
}
