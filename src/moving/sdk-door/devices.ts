import type { Context, Tx } from '../../base/context'
import { DAY } from '../../base/lib/clock'
import type { Mac } from '../../base/lib/mac'
import { listErasedIds } from '../../people/subscribers/service'
import { type DeviceRow, saveDevices } from './queries'
import type { SeenApp } from './seen-sdk'

const PURPOSE = 'devices of a former SDK'
const HASH_CHARACTERS = 22
/** So that one write stays short. A device that finds no place is noted at its next call. */
const MAX_WAITING = 2000
const MAX_NOTED = 50_000

interface Waiting {
  subscriberId: string
  row: DeviceRow
}

/** What decides whether a device must be written again. */
type Noted = Pick<DeviceRow, 'day' | 'flavor' | 'version' | 'appVersion'>

/** Devices are written and erased one after the other, so that an erasure misses none. */
export const lockDevices = (tx: Tx): Promise<void> => tx.lock('former-sdk devices')

/** The person may have been erased by another process since the call. */
async function saveLiving(tx: Tx, held: readonly Waiting[]): Promise<void> {
  await lockDevices(tx)
  for (const [projectId, some] of Map.groupBy(held, ({ row }) => row.projectId)) {
    const ids = some.map(({ subscriberId }) => subscriberId)
    const erased = new Set(await listErasedIds(tx, projectId, ids))
    const living = some.filter(({ subscriberId }) => !erased.has(subscriberId))
    await saveDevices(
      tx,
      living.map(({ row }) => row),
    )
  }
}

/**
 * The devices that call, each with the SDK and the app version of its last call. A device is a person on a platform: the
 * calls of these SDKs have no id of the device.
 */
export class SdkDevices {
  private readonly waiting = new Map<string, Waiting>()
  /** What was noted of each device today, so that its next calls write nothing. */
  private readonly noted = new Map<string, Noted>()

  constructor(
    private readonly mac: Mac,
    private readonly now: () => number,
  ) {}

  note(projectId: string, subscriberId: string, app: SeenApp): void {
    const day = Math.floor(this.now() / DAY) * DAY
    const name = `${projectId}\n${subscriberId}\n${app.platform}`
    const { flavor, version, appVersion } = app
    const noted = this.noted.get(name)
    const isNoted =
      noted?.day === day && noted.version === version && noted.appVersion === appVersion && noted.flavor === flavor
    if (isNoted || this.waiting.size >= MAX_WAITING) return
    if (this.noted.size >= MAX_NOTED) this.noted.clear()
    this.noted.set(name, { day, flavor, version, appVersion })
    const row = { projectId, deviceHash: this.hash(projectId, subscriberId), ...app, day }
    this.waiting.set(name, { subscriberId, row })
  }

  /** A keyed hash: without the key it names no one. Equal for all calls of one person. */
  hash(projectId: string, subscriberId: string): string {
    return this.mac.sign(`${projectId}|${subscriberId}`, PURPOSE).slice(0, HASH_CHARACTERS)
  }

  /** Writes the devices of people who were not erased meanwhile. When that fails, they wait for the next write. */
  async flush(ctx: Context): Promise<void> {
    const held = [...this.waiting]
    if (held.length === 0) return
    this.waiting.clear()
    try {
      await ctx.write((tx) =>
        saveLiving(
          tx,
          held.map(([, one]) => one),
        ),
      )
    } catch (error) {
      for (const [name, one] of held) if (!this.waiting.has(name)) this.waiting.set(name, one)
      throw error
    }
  }

  /** Forgets a person who is erased, also what waits to be written. */
  forget(projectId: string, subscriberIds: readonly string[]): void {
    const starts = subscriberIds.map((id) => `${projectId}\n${id}\n`)
    for (const held of [this.waiting, this.noted])
      for (const name of held.keys()) if (starts.some((start) => name.startsWith(start))) held.delete(name)
  }
}
