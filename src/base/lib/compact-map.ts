const MIN_SLOTS = 1024

/** The most texts of one map: with a few numbers each, some 100 MB. */
const MOST = 2_000_000

/**
 * Numbers by text, for millions of texts: each takes its hash and its numbers, 8 + 4 × `width` bytes, and as much again
 * while the map grows. Two texts with one hash of 64 bits are taken for one, which is to be expected once among billions.
 * Nothing is ever removed, and a map that is full takes no further texts.
 */
export class CompactMap {
  #slots = MIN_SLOTS
  #hashes = new Uint32Array(2 * MIN_SLOTS)
  #values: Uint32Array
  #size = 0

  /** @param width how many numbers from 0 to 2³²−1 each text has */
  constructor(
    readonly width: number,
    private readonly most: number = MOST,
  ) {
    this.#values = new Uint32Array(width * MIN_SLOTS)
  }

  get size(): number {
    return this.#size
  }

  /** Whether a text that is not there was left out, or would be. */
  get isFull(): boolean {
    return this.#size >= this.most
  }

  /** The numbers of a text; null when it is not there. */
  get(text: string): readonly number[] | null {
    const [low, high] = hashOf(text)
    const slot = this.#slotOf(low, high)
    return this.#isFree(slot) ? null : this.#at(slot)
  }

  set(text: string, values: readonly number[]): void {
    const [low, high] = hashOf(text)
    const slot = this.#slotOf(low, high)
    if (this.#isFree(slot)) {
      if (this.isFull) return
      this.#size++
    }
    this.#put(slot, low, high, values)
    if (this.#size * 3 > this.#slots * 2) this.#grow()
  }

  #at(slot: number): number[] {
    return [...this.#values.subarray(slot * this.width, (slot + 1) * this.width)]
  }

  #put(slot: number, low: number, high: number, values: ArrayLike<number>): void {
    this.#hashes[2 * slot] = low
    this.#hashes[2 * slot + 1] = high
    this.#values.set(values, slot * this.width)
  }

  /** Where the hash is, or where it belongs. */
  #slotOf(low: number, high: number): number {
    let slot = low % this.#slots
    while (!this.#isFree(slot) && !this.#has(slot, low, high)) slot = (slot + 1) % this.#slots
    return slot
  }

  #has(slot: number, low: number, high: number): boolean {
    return this.#hashes[2 * slot] === low && this.#hashes[2 * slot + 1] === high
  }

  #isFree(slot: number): boolean {
    return this.#hashes[2 * slot] === 0 && this.#hashes[2 * slot + 1] === 0
  }

  #grow(): void {
    const [slots, hashes, values] = [this.#slots, this.#hashes, this.#values]
    this.#slots = 2 * slots
    this.#hashes = new Uint32Array(2 * this.#slots)
    this.#values = new Uint32Array(this.width * this.#slots)
    for (let slot = 0; slot < slots; slot++) {
      const [low = 0, high = 0] = [hashes[2 * slot], hashes[2 * slot + 1]]
      if (low === 0 && high === 0) continue
      this.#put(this.#slotOf(low, high), low, high, values.subarray(slot * this.width, (slot + 1) * this.width))
    }
  }
}

/** At least one of the two numbers is not zero, because two zeros mark a free slot. */
function hashOf(text: string): [low: number, high: number] {
  const hash = BigInt(Bun.hash(text))
  const [low, high] = [Number(hash & 0xffffffffn), Number(hash >> 32n)]
  return low === 0 && high === 0 ? [1, 0] : [low, high]
}
