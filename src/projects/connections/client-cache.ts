import { sha256Hex } from '../../base/lib/hash'
import type { ProjectState } from '../project/state'

interface Held<Client> {
  configVersion: number
  fingerprint: string
  client: Client
}

/** One client of a store for each project: it lives as long as its credentials do, so that its circuit outlasts other changes. */
export class ClientCache<Saved, Client> {
  readonly #held = new Map<string, Held<Client>>()

  constructor(
    private readonly read: (project: ProjectState) => Promise<Saved>,
    private readonly build: (saved: Saved, project: ProjectState) => Client,
  ) {}

  /** Reads the credentials when the project has changed since; what reading or building throws goes on. */
  async get(project: ProjectState): Promise<Client> {
    const { id, configVersion } = project
    const held = this.#held.get(id)
    if (held?.configVersion === configVersion) return held.client
    const saved = await this.read(project)
    const fingerprint = sha256Hex(JSON.stringify(saved))
    // Looked up again: another request may have built it meanwhile, and two would have a circuit each.
    const present = this.#held.get(id)
    const client = present?.fingerprint === fingerprint ? present.client : this.build(saved, project)
    this.#held.set(id, { configVersion, fingerprint, client })
    return client
  }
}
