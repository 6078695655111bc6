#if canImport(Glibc)
    import CCurl

    // libcurl's callbacks. The context is the `CurlTransfer`, kept alive by the `CurlTransferSet` while its handle is in use.

    private func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    func curlHeader(data: UnsafeMutablePointer<CChar>, size: Int, count: Int, context: UnsafeMutableRawPointer?) -> Int
    {
        let line = UnsafeRawBufferPointer(start: data, count: size * count)
        return transfer(context)?.receiveHeaderLine(line) == true ? line.count : 0
    }

    func curlWrite(data: UnsafeMutablePointer<CChar>, size: Int, count: Int, context: UnsafeMutableRawPointer?) -> Int {
        let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
        // Any other number than the one given makes libcurl stop; for no bytes at all that is not 0.
        return transfer(context)?.receiveBody(bytes) == true ? bytes.count : bytes.count + 1
    }

    func curlRead(data: UnsafeMutablePointer<CChar>, size: Int, count: Int, context: UnsafeMutableRawPointer?) -> Int {
        let buffer = UnsafeMutableRawBufferPointer(start: data, count: size * count)
        return transfer(context)?.readBody(into: buffer) ?? Int(CCURL_READFUNC_ABORT)
    }

    func curlSeek(context: UnsafeMutableRawPointer?, offset: Int64, origin: Int32) -> Int32 {
        // libcurl only ever seeks from the start (SEEK_SET).
        guard origin == 0, let transfer = transfer(context) else { return 1 }
        transfer.seekBody(to: offset)
        return 0
    }

    func curlProgress(
        context: UnsafeMutableRawPointer?, downloadTotal: Int64, downloaded: Int64, uploadTotal: Int64, uploaded: Int64
    ) -> Int32 {
        transfer(context)?.reportSent(uploaded)
        return 0
    }
#endif
