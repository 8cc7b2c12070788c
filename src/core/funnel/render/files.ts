import type { ShownAsset } from '../files'
import type { AssetUse } from '../model'
import { attributes, escapeHtml } from './escape'
import { plainText } from './text'
import type { Drawing } from './view'

/** How wide a picture is shown: the width of the column, or a few pixels. */
export const COLUMN = '(max-width:32rem) 100vw,32rem'

interface PictureOptions {
  sizes?: string
  class?: string
  /** The text next to it describes what it shows. */
  isDecoration?: boolean
}

/** A picture in the sizes that there are, with its own size, so that the page does not move when it arrives. */
export function drawPicture(drawing: Drawing, use: AssetUse, options: PictureOptions = {}): string {
  const found = drawing.view.links.asset(use.asset)
  if (found === null || found.kind !== 'image') return ''
  const { sizes = COLUMN, isDecoration = false } = options
  const given = {
    class: options.class,
    src: found.url,
    ...(found.widths.length > 0 && { srcset: sourcesOf(found), sizes }),
    ...{ width: found.width, height: found.height, loading: 'lazy', decoding: 'async' },
  }
  return `<img${attributes({ ...given, alt: isDecoration ? '' : altOf(drawing, use, found) })}>`
}

const sourcesOf = ({ url, width, widths }: ShownAsset): string =>
  [...widths.map((one) => `${url}?w=${one} ${one}w`), ...(width === null ? [] : [`${url} ${width}w`])].join(',')

/** The text of the document, else that of the file; empty = the picture is decoration. */
export function altOf({ scope }: Drawing, { alt }: AssetUse, found: ShownAsset): string {
  const text = alt && Object.keys(alt).length > 0 ? alt : found.alt
  return plainText(text, scope)
}

export function drawVideo(drawing: Drawing, props: AssetUse & { poster?: AssetUse; loop?: boolean }): string {
  const found = drawing.view.links.asset(props.asset)
  if (found === null || found.kind !== 'video') return ''
  const poster = props.poster && drawing.view.links.asset(props.poster.asset)
  const given = {
    src: found.url,
    poster: poster?.kind === 'image' ? poster.url : null,
    ...{ width: found.width, height: found.height },
    'aria-label': altOf(drawing, props, found) || null,
    ...{ controls: true, playsinline: true, loop: props.loop ?? false, preload: 'metadata' },
  }
  return `<video${attributes(given)}></video>`
}

/**
 * The place of an animation in its own size, with its text. A script puts the animation over it; without one, the text
 * stays.
 */
export function drawLottie(drawing: Drawing, props: AssetUse & { loop?: boolean }): string {
  const found = drawing.view.links.asset(props.asset)
  if (found === null || found.kind !== 'lottie') return ''
  const alt = altOf(drawing, props, found)
  const spoken = alt === '' ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': alt }
  const given = { class: 'animation', ...spoken, 'data-animation': found.url, 'data-loop': props.loop ?? false }
  const { width, height } = found.width && found.height ? found : UNKNOWN_SIZE
  const box = { width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' }
  return `<div${attributes(given)}><svg${attributes(box)}></svg><p>${escapeHtml(alt)}</p></div>`
}

const UNKNOWN_SIZE = { width: 320, height: 180 }
