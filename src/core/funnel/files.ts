import type { LocalText } from './model'

export const ASSET_KINDS = ['image', 'video', 'lottie'] as const
export type AssetKind = (typeof ASSET_KINDS)[number]

/** The widths of the smaller pictures that are made of an image, in pixels. */
export const SMALLER_WIDTHS = [320, 640, 1080] as const
/** The longest side of a picture, in pixels. */
export const MAX_SIDE = 2048
/** What `?w=` of an address takes. */
export const SERVED_WIDTHS = [...SMALLER_WIDTHS, MAX_SIDE] as const

/** A file of the project as pages show it. */
export interface ShownAsset {
  kind: AssetKind
  /** The path of the largest form. */
  url: string
  /** In pixels; null = not known. */
  width: number | null
  height: number | null
  /** The widths of the smaller forms, which are at the same path with `?w=`. */
  widths: readonly number[]
  /** For those who do not see it, where the document has no text of its own. */
  alt: LocalText
}

export const FONT_STYLES = ['normal', 'italic'] as const
export type FontStyle = (typeof FONT_STYLES)[number]

export interface ShownFace {
  weight: number
  style: FontStyle
  /** The path of the whole face as WOFF2. */
  url: string
  /** The path of its Latin letters as WOFF2; null = its licence forbids a part of it. */
  latinUrl: string | null
}

/** A font family of the project as pages use it. */
export interface ShownFont {
  id: string
  faces: readonly ShownFace[]
}

/** The files of a project, as far as publishing has to know them. */
export interface KnownFiles {
  assets: ReadonlyMap<string, KnownAsset>
  fonts: ReadonlySet<string>
}

export interface KnownAsset {
  kind: AssetKind
  /** Whether it has an alternative text of its own. */
  hasAlt: boolean
}

export const NO_FILES: KnownFiles = { assets: new Map(), fonts: new Set() }
