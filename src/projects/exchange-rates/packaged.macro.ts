import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packText } from '../../base/lib/packed-text'

/**
 * The rates of `rates.txt` as one packed text, and the newest day. A line for each day, one day of each month:
 * `2026-09-29 AED=3.6725 ...`, in units for one dollar. `src/add-rates.ts` adds lines.
 */
export function packRates(): { newest: string; text: string } {
  const text = readFileSync(join(import.meta.dir, 'rates.txt'), 'utf8').trim()
  return { newest: text.split('\n').at(-1)?.slice(0, 10) ?? '', text: packText(text) }
}
