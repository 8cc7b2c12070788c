const FIRST_BYTES = 16 * 1024

/**
 * Collects the parts of a body in one piece of memory, which doubles when it is full. A list of the parts would need
 * many times the memory for a body that arrives byte by byte.
 */
export class ByteBuffer {
  #memory = new ArrayBuffer(0)
  #length = 0

  /** `expectedBytes`: it takes no more memory than this, as long as no more arrives. */
  constructor(private readonly expectedBytes: number) {}

  get length(): number {
    return this.#length
  }

  /** The memory that it will take once so many more bytes are added. */
  capacityFor(bytes: number): number {
    const needed = this.#length + bytes
    if (needed <= this.#memory.byteLength) return this.#memory.byteLength
    return Math.max(needed, Math.min(this.expectedBytes, Math.max(FIRST_BYTES, 2 * this.#memory.byteLength)))
  }

  add(part: Uint8Array): void {
    const capacity = this.capacityFor(part.length)
    // A transfer frees the old memory at once. Otherwise it would stay until the next garbage collection.
    if (capacity > this.#memory.byteLength) this.#memory = this.#memory.transfer(capacity)
    new Uint8Array(this.#memory).set(part, this.#length)
    this.#length += part.length
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.#memory, 0, this.#length)
  }

  /** Frees the memory. Bytes that were returned before are gone with it. */
  free(): void {
    this.#memory.transfer(0)
  }
}
