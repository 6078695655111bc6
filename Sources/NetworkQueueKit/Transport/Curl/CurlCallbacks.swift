#if canImport(Glibc)
    import CCurl
    import Foundation

    // libcurl's callbacks. The context is the `CurlHandle`, which the `CurlTransferSet` keeps alive.

    func curlHeader(data: UnsafeMutablePointer<CChar>, size: Int, count: Int, context: UnsafeMutableRawPointer?) -> Int
    {
        let line = UnsafeRawBufferPointer(start: data, count: size * count)
        let mayGoOn = CurlHandle.withTransfer(of: context) { $0.receiveHeaderLine(line, of: $1.head) }
        return mayGoOn == true ? line.count : 0
    }

    func curlWrite(data: UnsafeMutablePointer<CChar>, size: Int, count: Int, context: UnsafeMutableRawPointer?) -> Int {
        let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
        let disposition = CurlHandle.withTransfer(of: context) { transfer, handle in
            CurlLibrary.continuesFreedField && !handle.head.isComplete
                ? transfer.preview(bytes, of: handle.head) : transfer.receiveBody(bytes)
        }
        switch disposition {
        case .proceed: return bytes.count
        case .pause: return Int(CCURL_WRITEFUNC_PAUSE)
        // Any number other than the given one makes libcurl stop; for no bytes at all that number is not 0.
        case .stop, nil: return bytes.count + 1
        }
    }

    func curlRead(data: UnsafeMutablePointer<CChar>, size: Int, count: Int, context: UnsafeMutableRawPointer?) -> Int {
        let buffer = UnsafeMutableRawBufferPointer(start: data, count: size * count)
        switch CurlHandle.withTransfer(of: context, { transfer, _ in transfer.readBody(into: buffer) }) {
        case .read(let count): return count
        case .pause: return Int(CCURL_READFUNC_PAUSE)
        case .fail, nil: return Int(CCURL_READFUNC_ABORT)
        }
    }

    func curlSeek(context: UnsafeMutableRawPointer?, offset: Int64, origin: Int32) -> Int32 {
        // libcurl only ever seeks from the start (SEEK_SET).
        guard origin == 0 else { return 1 }
        return CurlHandle.withTransfer(of: context) { transfer, _ in transfer.seekBody(to: offset) } == nil ? 1 : 0
    }

    func curlProgress(
        context: UnsafeMutableRawPointer?, downloadTotal: Int64, downloaded: Int64, uploadTotal: Int64, uploaded: Int64
    ) -> Int32 {
        CurlHandle.withTransfer(of: context) { transfer, _ in transfer.reportSent(uploaded) }
        return 0
    }

    func curlOpen(
        context: UnsafeMutableRawPointer?, purpose: Int32, address: UnsafeMutablePointer<ccurl_address>
    ) -> Int32 {
        // Child processes must not inherit the socket.
        let type = address.pointee.type | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.pointee.family, type, address.pointee.`protocol`)
        if descriptor >= 0 {
            let isStream = address.pointee.type & 0xF == Int32(SOCK_STREAM.rawValue)
            CurlHandle.withTransfer(of: context) {
                $1.multi.sockets.add(descriptor, for: $1.proxy.connectionOrigin(of: $0.exchange), isStream: isStream)
            }
        }
        return descriptor
    }

    /// The context is the `CurlSockets`, which live as long as libcurl's connections.
    func curlClose(context: UnsafeMutableRawPointer?, descriptor: Int32) -> Int32 {
        if let context { Unmanaged<CurlSockets>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.remove(descriptor) } }
        return close(descriptor)
    }

    func curlBegin(
        context: UnsafeMutableRawPointer?, remoteAddress: UnsafeMutablePointer<CChar>?,
        localAddress: UnsafeMutablePointer<CChar>?, remotePort: Int32, localPort: Int32
    ) -> Int32 {
        let address = remoteAddress.map { String(cString: $0) } ?? ""
        let ends = CurlSockets.Ends(remoteAddress: address, remotePort: remotePort, localPort: localPort)
        return CurlHandle.withTransfer(of: context) { $1.maySend($0, over: ends) } == false ? 1 : 0
    }
#endif
