// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every error of the CUDA runtime: enumerator, value, and the sentence cudaGetErrorString answers with.
// One list makes the enumeration, the names and the texts, so that they cannot drift apart.
// Use: define SIMT_CUDA_ERROR(name, value, text), include, undefine. Hence no include guard.
SIMT_CUDA_ERROR(cudaSuccess, 0, "no error")
SIMT_CUDA_ERROR(cudaErrorInvalidValue, 1, "invalid argument")
SIMT_CUDA_ERROR(cudaErrorMemoryAllocation, 2, "out of memory")
SIMT_CUDA_ERROR(cudaErrorInitializationError, 3, "initialization error")
SIMT_CUDA_ERROR(cudaErrorCudartUnloading, 4, "driver shutting down")
SIMT_CUDA_ERROR(cudaErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool")
SIMT_CUDA_ERROR(cudaErrorProfilerNotInitialized, 6,
                "profiler not initialized: call cudaProfilerInitialize()")
SIMT_CUDA_ERROR(cudaErrorProfilerAlreadyStarted, 7, "profiler already started")
SIMT_CUDA_ERROR(cudaErrorProfilerAlreadyStopped, 8, "profiler already stopped")
SIMT_CUDA_ERROR(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")
SIMT_CUDA_ERROR(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")
SIMT_CUDA_ERROR(cudaErrorInvalidSymbol, 13, "invalid device symbol")
SIMT_CUDA_ERROR(cudaErrorInvalidHostPointer, 16, "invalid host pointer")
SIMT_CUDA_ERROR(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")
SIMT_CUDA_ERROR(cudaErrorInvalidTexture, 18, "invalid texture reference")
SIMT_CUDA_ERROR(cudaErrorInvalidTextureBinding, 19, "texture is not bound to a pointer")
SIMT_CUDA_ERROR(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")
SIMT_CUDA_ERROR(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")
SIMT_CUDA_ERROR(cudaErrorAddressOfConstant, 22, "invalid address of constant")
SIMT_CUDA_ERROR(cudaErrorTextureFetchFailed, 23, "fetch from texture failed")
SIMT_CUDA_ERROR(cudaErrorTextureNotBound, 24, "cannot fetch from a texture that is not bound")
SIMT_CUDA_ERROR(cudaErrorSynchronizationError, 25, "incorrect use of __syncthreads()")
SIMT_CUDA_ERROR(cudaErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type")
SIMT_CUDA_ERROR(cudaErrorInvalidNormSetting, 27, "read as normalized float not supported for data type")
SIMT_CUDA_ERROR(cudaErrorMixedDeviceExecution, 28,
                "device emulation mode and device execution mode cannot be mixed")
SIMT_CUDA_ERROR(cudaErrorNotYetImplemented, 31, "feature not yet implemented")
SIMT_CUDA_ERROR(cudaErrorMemoryValueTooLarge, 32, "memory size or pointer value too large to fit in 32 bit")
SIMT_CUDA_ERROR(cudaErrorStubLibrary, 34, "CUDA driver is a stub library")
SIMT_CUDA_ERROR(cudaErrorInsufficientDriver, 35,
                "CUDA driver version is insufficient for CUDA runtime version")
SIMT_CUDA_ERROR(cudaErrorCallRequiresNewerDriver, 36,
                "API call is not supported in the installed CUDA driver")
SIMT_CUDA_ERROR(cudaErrorInvalidSurface, 37, "invalid surface reference")
SIMT_CUDA_ERROR(cudaErrorDuplicateVariableName, 43, "duplicate global variable looked up by string name")
SIMT_CUDA_ERROR(cudaErrorDuplicateTextureName, 44, "duplicate texture looked up by string name")
SIMT_CUDA_ERROR(cudaErrorDuplicateSurfaceName, 45, "duplicate surface looked up by string name")
SIMT_CUDA_ERROR(cudaErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable")
SIMT_CUDA_ERROR(cudaErrorIncompatibleDriverContext, 49, "incompatible driver context")
SIMT_CUDA_ERROR(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured")
SIMT_CUDA_ERROR(cudaErrorPriorLaunchFailure, 53, "unspecified launch failure in prior launch")
SIMT_CUDA_ERROR(cudaErrorLaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches")
SIMT_CUDA_ERROR(cudaErrorLaunchFileScopedTex, 66,
                "launch failed because kernel uses unsupported, file-scoped textures (texture objects "
                "are supported)")
SIMT_CUDA_ERROR(cudaErrorLaunchFileScopedSurf, 67,
                "launch failed because kernel uses unsupported, file-scoped surfaces (surface objects "
                "are supported)")
SIMT_CUDA_ERROR(cudaErrorSyncDepthExceeded, 68,
                "cudaDeviceSynchronize failed because caller's grid depth exceeds "
                "cudaLimitDevRuntimeSyncDepth")
SIMT_CUDA_ERROR(cudaErrorLaunchPendingCountExceeded, 69,
                "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount")
SIMT_CUDA_ERROR(cudaErrorInvalidDeviceFunction, 98, "invalid device function")
SIMT_CUDA_ERROR(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")
SIMT_CUDA_ERROR(cudaErrorInvalidDevice, 101, "invalid device ordinal")
SIMT_CUDA_ERROR(cudaErrorDeviceNotLicensed, 102, "device doesn't have valid Grid license")
SIMT_CUDA_ERROR(cudaErrorSoftwareValidityNotEstablished, 103, "integrity checks failed")
SIMT_CUDA_ERROR(cudaErrorStartupFailure, 127, "startup failure in cuda runtime")
SIMT_CUDA_ERROR(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")
SIMT_CUDA_ERROR(cudaErrorDeviceUninitialized, 201, "invalid device context")
SIMT_CUDA_ERROR(cudaErrorMapBufferObjectFailed, 205, "mapping of buffer object failed")
SIMT_CUDA_ERROR(cudaErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed")
SIMT_CUDA_ERROR(cudaErrorArrayIsMapped, 207, "array is mapped")
SIMT_CUDA_ERROR(cudaErrorAlreadyMapped, 208, "resource already mapped")
SIMT_CUDA_ERROR(cudaErrorNoKernelImageForDevice, 209,
                "no kernel image is available for execution on the device")
SIMT_CUDA_ERROR(cudaErrorAlreadyAcquired, 210, "resource already acquired")
SIMT_CUDA_ERROR(cudaErrorNotMapped, 211, "resource not mapped")
SIMT_CUDA_ERROR(cudaErrorNotMappedAsArray, 212, "resource not mapped as array")
SIMT_CUDA_ERROR(cudaErrorNotMappedAsPointer, 213, "resource not mapped as pointer")
SIMT_CUDA_ERROR(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")
SIMT_CUDA_ERROR(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture")
SIMT_CUDA_ERROR(cudaErrorDeviceAlreadyInUse, 216,
                "exclusive-thread device already in use by a different thread")
SIMT_CUDA_ERROR(cudaErrorPeerAccessUnsupported, 217,
                "peer access is not supported between these two devices")
SIMT_CUDA_ERROR(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed")
SIMT_CUDA_ERROR(cudaErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context")
SIMT_CUDA_ERROR(cudaErrorNvlinkUncorrectable, 220,
                "uncorrectable NVLink error detected during the execution")
SIMT_CUDA_ERROR(cudaErrorJitCompilerNotFound, 221, "PTX JIT compiler library not found")
SIMT_CUDA_ERROR(cudaErrorUnsupportedPtxVersion, 222,
                "the provided PTX was compiled with an unsupported toolchain.")
SIMT_CUDA_ERROR(cudaErrorJitCompilationDisabled, 223, "PTX JIT compilation was disabled")
SIMT_CUDA_ERROR(cudaErrorUnsupportedExecAffinity, 224, "the provided execution affinity is not supported")
SIMT_CUDA_ERROR(cudaErrorUnsupportedDevSideSync, 225,
                "the provided PTX contains unsupported call to cudaDeviceSynchronize")
SIMT_CUDA_ERROR(cudaErrorContained, 226,
                "Invalid access of peer GPU memory over nvlink or a hardware error")
SIMT_CUDA_ERROR(cudaErrorInvalidSource, 300, "device kernel image is invalid")
SIMT_CUDA_ERROR(cudaErrorFileNotFound, 301, "file not found")
SIMT_CUDA_ERROR(cudaErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found")
SIMT_CUDA_ERROR(cudaErrorSharedObjectInitFailed, 303, "shared object initialization failed")
SIMT_CUDA_ERROR(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")
SIMT_CUDA_ERROR(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")
SIMT_CUDA_ERROR(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state")
SIMT_CUDA_ERROR(cudaErrorLossyQuery, 402, "attempted introspection would be semantically lossy")
SIMT_CUDA_ERROR(cudaErrorSymbolNotFound, 500, "named symbol not found")
SIMT_CUDA_ERROR(cudaErrorNotReady, 600, "device not ready")
SIMT_CUDA_ERROR(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")
SIMT_CUDA_ERROR(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")
SIMT_CUDA_ERROR(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")
SIMT_CUDA_ERROR(cudaErrorLaunchIncompatibleTexturing, 703, "launch uses incompatible texturing mode")
SIMT_CUDA_ERROR(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")
SIMT_CUDA_ERROR(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")
SIMT_CUDA_ERROR(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")
SIMT_CUDA_ERROR(cudaErrorContextIsDestroyed, 709, "context is destroyed")
SIMT_CUDA_ERROR(cudaErrorAssert, 710, "device-side assert triggered")
SIMT_CUDA_ERROR(cudaErrorTooManyPeers, 711, "peer mapping resources exhausted")
SIMT_CUDA_ERROR(cudaErrorHostMemoryAlreadyRegistered, 712,
                "part or all of the requested memory range is already mapped")
SIMT_CUDA_ERROR(cudaErrorHostMemoryNotRegistered, 713,
                "pointer does not correspond to a registered memory region")
SIMT_CUDA_ERROR(cudaErrorHardwareStackError, 714, "hardware stack error")
SIMT_CUDA_ERROR(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")
SIMT_CUDA_ERROR(cudaErrorMisalignedAddress, 716, "misaligned address")
SIMT_CUDA_ERROR(cudaErrorInvalidAddressSpace, 717, "operation not supported on global/shared address space")
SIMT_CUDA_ERROR(cudaErrorInvalidPc, 718, "invalid program counter")
SIMT_CUDA_ERROR(cudaErrorLaunchFailure, 719, "unspecified launch failure")
SIMT_CUDA_ERROR(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")
SIMT_CUDA_ERROR(cudaErrorTensorMemoryLeak, 721, "tensor memory not completely freed")
SIMT_CUDA_ERROR(cudaErrorNotPermitted, 800, "operation not permitted")
SIMT_CUDA_ERROR(cudaErrorNotSupported, 801, "operation not supported")
SIMT_CUDA_ERROR(cudaErrorSystemNotReady, 802, "system not yet initialized")
SIMT_CUDA_ERROR(cudaErrorSystemDriverMismatch, 803,
                "system has unsupported display driver / cuda driver combination")
SIMT_CUDA_ERROR(cudaErrorCompatNotSupportedOnDevice, 804,
                "forward compatibility was attempted on non supported HW")
SIMT_CUDA_ERROR(cudaErrorMpsConnectionFailed, 805,
                "MPS client failed to connect to the MPS control daemon or the MPS server")
SIMT_CUDA_ERROR(cudaErrorMpsRpcFailure, 806,
                "the remote procedural call between the MPS server and the MPS client failed")
SIMT_CUDA_ERROR(cudaErrorMpsServerNotReady, 807,
                "MPS server is not ready to accept new MPS client requests")
SIMT_CUDA_ERROR(cudaErrorMpsMaxClientsReached, 808,
                "the hardware resources required to create MPS client have been exhausted")
SIMT_CUDA_ERROR(cudaErrorMpsMaxConnectionsReached, 809,
                "the hardware resources required to support device connections have been exhausted")
SIMT_CUDA_ERROR(cudaErrorMpsClientTerminated, 810, "the MPS client has been terminated by the server")
SIMT_CUDA_ERROR(cudaErrorCdpNotSupported, 811,
                "is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does not "
                "support it")
SIMT_CUDA_ERROR(cudaErrorCdpVersionMismatch, 812,
                "unsupported interaction between different versions of CUDA Dynamic Parallelism")
SIMT_CUDA_ERROR(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")
SIMT_CUDA_ERROR(cudaErrorStreamCaptureInvalidated, 901,
                "operation failed due to a previous error during capture")
SIMT_CUDA_ERROR(cudaErrorStreamCaptureMerge, 902,
                "operation would result in a merge of separate capture sequences")
SIMT_CUDA_ERROR(cudaErrorStreamCaptureUnmatched, 903,
                "capture was not ended in the same stream as it began")
SIMT_CUDA_ERROR(cudaErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")
SIMT_CUDA_ERROR(cudaErrorStreamCaptureIsolation, 905,
                "dependency created on uncaptured work in another stream")
SIMT_CUDA_ERROR(cudaErrorStreamCaptureImplicit, 906,
                "operation would make the legacy stream depend on a capturing blocking stream")
SIMT_CUDA_ERROR(cudaErrorCapturedEvent, 907,
                "operation not permitted on an event last recorded in a capturing stream")
SIMT_CUDA_ERROR(cudaErrorStreamCaptureWrongThread, 908,
                "attempt to terminate a thread-local capture sequence from another thread")
SIMT_CUDA_ERROR(cudaErrorTimeout, 909, "wait operation timed out")
SIMT_CUDA_ERROR(cudaErrorGraphExecUpdateFailure, 910,
                "the graph update was not performed because it included changes which violated "
                "constraints specific to instantiated graph update")
SIMT_CUDA_ERROR(cudaErrorExternalDevice, 911,
                "an async error has occured in external entity outside of CUDA")
SIMT_CUDA_ERROR(cudaErrorInvalidClusterSize, 912,
                "a kernel launch error has occurred due to cluster misconfiguration")
SIMT_CUDA_ERROR(cudaErrorFunctionNotLoaded, 913,
                "the function handle is not loaded when calling an API that requires a loaded function")
SIMT_CUDA_ERROR(cudaErrorInvalidResourceType, 914,
                "one or more resources passed in are not valid resource types for the operation")
SIMT_CUDA_ERROR(cudaErrorInvalidResourceConfiguration, 915,
                "one or more resources are insufficient or non-applicable for the operation")
SIMT_CUDA_ERROR(cudaErrorUnknown, 999, "unknown error")
