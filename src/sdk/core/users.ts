import { type Core, isWithoutNetwork } from './core'
import { invalid, isRefused } from './error'
import { ANSWERS, CONTEXT, IDENTITY } from './keys'
import type { CurrentUser } from './model'

export interface IdentifyOptions {
  /** Signed by your server, where the project asks for one. */
  identityToken?: string
}

export interface Users {
  currentUser(): CurrentUser
  /** Takes the label at once. `synced` says whether the server knows it already. Rejects when the server refuses it. */
  identify(appUserId: string, options?: IdentifyOptions): Promise<{ synced: boolean }>
  logOut(): Promise<void>
}

export interface UserHooks {
  /** Sends the attributes that wait for the present user. */
  flush(): Promise<unknown>
  hasQueued(): boolean
  /** Drops the attributes that were not sent. */
  drop(): void
  /** Another user is there. */
  changed(): void
  /** Reads again for the present user; never rejects. */
  reread(): Promise<unknown>
}

/** `bound` ends when the server knows the label or has refused it, and rejects when the server cannot be reached. */
export function createUsers(core: Core, hooks: UserHooks): Users & { bound(): Promise<void> } {
  const { memory, identity } = core
  let headers: Record<string, string> | undefined
  let isOver = false
  let binding: Promise<void> | undefined

  const take = (deviceKey: string, appUserId: string | null): void => {
    const { appUserId: label } = identity()
    memory.set(IDENTITY, { deviceKey, appUserId, synced: appUserId === null })
    isOver = false
    if (label !== appUserId || !appUserId) hooks.changed()
  }
  /** Posts the pair that is kept. It is synced only if the same pair is still kept after the answer. */
  const bind = async (): Promise<void> => {
    const sent = identity()
    const { deviceKey, appUserId, synced } = sent
    if (synced || isOver) return
    const isMine = () => deviceKey === identity().deviceKey && appUserId === identity().appUserId
    try {
      await core.send('/identify', { deviceKey, appUserId }, { headers })
      if (isMine()) memory.set(IDENTITY, { ...sent, synced: true })
    } catch (error) {
      if (isMine()) {
        isOver = isRefused(error)
        throw error
      }
    }
    if (!isMine()) return bind()
  }
  const bindOnce = (): Promise<void> => {
    binding ??= bind().finally(() => {
      binding = undefined
    })
    return binding
  }
  /** What waits goes to the user that it belongs to, or nowhere. */
  const settle = async (): Promise<void> => {
    try {
      if (isWithoutNetwork(core)) throw 0
      await hooks.flush()
    } catch {
      core.log('warn', 'Unsent attributes of the former user are dropped')
      hooks.drop()
    }
  }
  return {
    currentUser() {
      const { deviceKey, appUserId } = identity()
      return { deviceKey, appUserId }
    },
    async identify(label, options) {
      if (!label?.trim?.()) throw invalid('The id is blank')
      const token = options?.identityToken
      headers = token ? { 'X-Svc-Identity-Token': token } : undefined
      const { deviceKey, appUserId, synced } = identity()
      if (appUserId !== label) {
        if (appUserId && hooks.hasQueued()) await settle()
        take(deviceKey, label)
      } else if (synced) return { synced }
      isOver = false
      if (!isWithoutNetwork(core))
        await bindOnce()
          .then(hooks.reread)
          .catch((error) => {
            if (isRefused(error)) throw error
          })
      return { synced: identity().synced && identity().appUserId === label }
    },
    async logOut() {
      const { synced } = identity()
      if (!synced || hooks.hasQueued()) await settle()
      for (const key of memory.answers()) if (key.startsWith(`${ANSWERS}${core.scope()}.`)) memory.set(key, undefined)
      hooks.drop()
      memory.set(CONTEXT, undefined)
      take(newKey(core), null)
      if (!isWithoutNetwork(core)) await hooks.reread()
    },
    bound: () =>
      bindOnce().catch((error) => {
        if (!isRefused(error)) throw error
      }),
  }
}

export const newKey = ({ random }: Pick<Core, 'random'>): string => `svc_${random(16)}`
