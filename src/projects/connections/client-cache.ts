import { sha256Hex } from '../../base/lib/hash'
import type { ProjectState } from '../project/state'

interface Held<Client> {
  configVersion: number
  fingerprint: string
  client: Client
}

/**
 * One client of a store for each project. A client is kept until its credentials change, so that other changes of the
 * project do not reset its circuit breaker.
 */
export class ClientCache<Saved, Client> {
  readonly #held = new Map<string, Held<Client>>()

  constructor(
    private readonly read: (project: ProjectState) => Promise<Saved>,
    private readonly build: (saved: Saved, project: ProjectState) => Client,
  ) {}

  /** Reads the credentials again when the project has changed. Errors of `read` and `build` reach the caller. */
  async get(project: ProjectState): Promise<Client> {
    const { id, configVersion } = project
    const held = this.#held.get(id)
    if (held?.configVersion === configVersion) return held.client
    const saved = await this.read(project)
    const fingerprint = sha256Hex(JSON.stringify(saved))
    // Looked up again: another request may have built the client in the meantime. Two clients would have two circuits.
    const present = this.#held.get(id)
    const client = present?.fingerprint === fingerprint ? present.client : this.build(saved, project)
    this.#held.set(id, { configVersion, fingerprint, client })
    return client
  }
}
