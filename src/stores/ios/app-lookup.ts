import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { SECOND } from '../../base/lib/clock'
import { answerText } from '../answer-text'

export const LOOKUP_URL = 'https://itunes.apple.com/lookup'

/** An app as the App Store shows it to everybody. */
export interface FoundApp {
  appId: string
  bundleId: string
  name: string
  iconUrl: string | null
}

const open = { additionalProperties: true }
const Answer = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          trackId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
          bundleId: Type.String(),
          trackName: Type.String(),
          artworkUrl512: Type.Optional(Type.String()),
          artworkUrl100: Type.Optional(Type.String()),
        },
        open,
      ),
    ),
  },
  open,
)

interface Lookup {
  /** Null = the real address. */
  url: string | null
  bundleId: string
  /** Two letters: the store of that country. */
  country: string
  timeoutMs?: number
}

/** Looks an app up in the public App Store; `app` null = no such app there. `ok` false = no usable answer in 5 s. */
export async function lookUpApp({
  url,
  bundleId,
  country,
  timeoutMs = 5 * SECOND,
}: Lookup): Promise<{ ok: true; app: FoundApp | null } | { ok: false; cause: unknown }> {
  const query = new URLSearchParams({ bundleId, country, entity: 'software' })
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(`${url ?? LOOKUP_URL}?${query}`, { redirect: 'manual', signal })
    const text = await answerText(response)
    if (response.status < 200 || response.status > 299) return { ok: false, cause: `status ${response.status}` }
    const body: unknown = JSON.parse(text)
    if (!Value.Check(Answer, body)) return { ok: false, cause: 'an answer in another form' }
    const found = body.results.find((one) => one.bundleId === bundleId)
    if (!found) return { ok: true, app: null }
    const { trackId, trackName, artworkUrl512, artworkUrl100 } = found
    const iconUrl = artworkUrl512 ?? artworkUrl100 ?? null
    return { ok: true, app: { appId: String(trackId), bundleId, name: trackName, iconUrl } }
  } catch (cause) {
    return { ok: false, cause }
  }
}
