#if canImport(Glibc)
    import CCurl

    // libcurl's callbacks. The context is the `CurlHandle`, kept alive by the `CurlTransferSet`.

    private func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? { CurlHandle.transfer(of: context) }

    func curlHeader(data: UnsafeMutablePointer<CChar>, size: Int, count: Int, context: UnsafeMutableRawPointer?) -> Int
    {
        let line = UnsafeRawBufferPointer(start: data, count: size * count)
        return transfer(context)?.receiveHeaderLine(line) == true ? line.count : 0
    }

    func curlWrite(data: UnsafeMutablePointer<CChar>, size: Int, count: Int, context: UnsafeMutableRawPointer?) -> Int {
        let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
        switch transfer(context)?.receiveBody(bytes) {
        case .proceed: return bytes.count
        case .pause: return Int(CCURL_WRITEFUNC_PAUSE)
        // Any other number than the one given makes libcurl stop; for no bytes at all that is not 0.
        case .stop, nil: return bytes.count + 1
        }
    }

    func curlRead(data: UnsafeMutablePointer<CChar>, size: Int, count: Int, context: UnsafeMutableRawPointer?) -> Int {
        let buffer = UnsafeMutableRawBufferPointer(start: data, count: size * count)
        switch transfer(context)?.readBody(into: buffer) {
        case .read(let count): return count
        case .pause: return Int(CCURL_READFUNC_PAUSE)
        case .fail, nil: return Int(CCURL_READFUNC_ABORT)
        }
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
