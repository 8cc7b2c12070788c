import wasmFile from 'harfbuzzjs/dist/harfbuzz-subset.wasm' with { type: 'file' }

/**
 * The functions of HarfBuzz that are used (https://harfbuzz.github.io/harfbuzz-hb-subset.html). Numbers are addresses in
 * its memory.
 */
export interface Harfbuzz {
  memory: WebAssembly.Memory
  _initialize(): void
  malloc(bytes: number): number
  free(address: number): void
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number
  hb_blob_destroy(blob: number): void
  hb_blob_get_data(blob: number, length: number): number
  hb_blob_get_length(blob: number): number
  hb_face_create(blob: number, index: number): number
  hb_face_destroy(face: number): void
  hb_face_reference_blob(face: number): number
  hb_set_add(set: number, value: number): void
  hb_set_clear(set: number): void
  hb_set_invert(set: number): void
  hb_subset_input_create_or_fail(): number
  hb_subset_input_destroy(input: number): void
  hb_subset_input_set(input: number, kind: number): number
  hb_subset_input_unicode_set(input: number): number
  hb_subset_or_fail(face: number, input: number): number
}

const MEMORY_MODE_WRITABLE = 2
const SETS_LAYOUT_FEATURE_TAG = 6

/** The library in a memory of its own. */
export async function loadHarfbuzz(): Promise<Harfbuzz> {
  const { instance } = await WebAssembly.instantiate(await Bun.file(wasmFile).bytes())
  const harfbuzz = instance.exports as unknown as Harfbuzz // Its C header has the same values.
  harfbuzz._initialize()
  return harfbuzz
}

/** The font with these letters only, and with all features of layout. Throws when HarfBuzz cannot read it. */
export function subsetOf(hb: Harfbuzz, font: Uint8Array, letters: string): Uint8Array {
  const data = hb.malloc(font.length)
  if (data === 0) throw new Error('the font is too large')
  new Uint8Array(hb.memory.buffer).set(font, data)
  const blob = hb.hb_blob_create(data, font.length, MEMORY_MODE_WRITABLE, 0, 0)
  const face = hb.hb_face_create(blob, 0)
  hb.hb_blob_destroy(blob)
  try {
    return subsetFace(hb, face, letters)
  } finally {
    hb.hb_face_destroy(face)
    hb.free(data)
  }
}

function subsetFace(hb: Harfbuzz, face: number, letters: string): Uint8Array {
  const input = hb.hb_subset_input_create_or_fail()
  const features = hb.hb_subset_input_set(input, SETS_LAYOUT_FEATURE_TAG)
  hb.hb_set_clear(features)
  hb.hb_set_invert(features)
  const points = hb.hb_subset_input_unicode_set(input)
  for (const letter of letters) hb.hb_set_add(points, letter.codePointAt(0) ?? 0)
  const subset = hb.hb_subset_or_fail(face, input)
  hb.hb_subset_input_destroy(input)
  if (subset === 0) throw new Error('the font cannot be reduced')
  const blob = hb.hb_face_reference_blob(subset)
  const length = hb.hb_blob_get_length(blob)
  // A copy, because the memory is used again.
  const bytes = new Uint8Array(hb.memory.buffer).slice(
    hb.hb_blob_get_data(blob, 0),
    hb.hb_blob_get_data(blob, 0) + length,
  )
  hb.hb_blob_destroy(blob)
  hb.hb_face_destroy(subset)
  return bytes
}
