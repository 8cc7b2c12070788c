import { AppError } from '../../base/errors'
import type { AssetKind } from '../../core/funnel/files'

/** 400 `ASSET_FORMAT_UNSUPPORTED`, with what can be sent. */
export const unsupported = (kind: AssetKind): AppError =>
  new AppError('ASSET_FORMAT_UNSUPPORTED', { kind }, { message: TAKEN[kind] })

const TAKEN: Readonly<Record<AssetKind, string>> = {
  image:
    'This is no picture that can be shown; send JPEG, PNG, WebP or GIF. SVG is not taken, because it can run scripts',
  video: 'This is no video that browsers play; send MP4 or WebM',
  lottie: 'This is no Lottie animation; send its JSON, with w, h, fr, ip, op and layers',
}
