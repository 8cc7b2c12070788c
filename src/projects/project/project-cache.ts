import type { Handle } from '../../base/db/handle'
import { AppError } from '../../base/errors'
import type { Log } from '../../base/lib/log'
import { DEFAULT_SETTINGS } from '../../core/project/schema'
import { loadParts, type PartLoaders } from './project-parts'
import { findProject, findStoreSettings } from './queries'
import type { AndroidSettings, IosSettings, PaymentSettings, ProjectState } from './state'

/** Project configurations in memory. Each version is loaded once (DESIGN section 5). */
export class ProjectCache {
  private readonly states = new Map<string, Promise<ProjectState>>()
  private readonly listeners: ((projectId: string) => void)[] = []
  private readonly loaded = new Map<string, { state: ProjectState; edition: number }>()
  private editions = 0

  constructor(
    private readonly handle: Handle,
    private readonly log: Log,
    private readonly loaders: readonly PartLoaders[],
  ) {}

  /** The project's configuration. 401 for a project that no longer exists, as for an unknown key. */
  get(projectId: string): Promise<ProjectState> {
    const known = this.states.get(projectId)
    if (known) return known
    const loading = loadProject(projectId, this.handle, this.log, this.loaders)
    this.states.set(projectId, loading)
    loading.then(
      (state) => this.settle(projectId, loading, state),
      () => this.drop(projectId, loading),
    )
    return loading
  }

  /** What `get` returns, if it is in memory. */
  held(projectId: string): ProjectState | undefined {
    return this.loaded.get(projectId)?.state
  }

  /** A number that only this configuration has; undefined when the configuration is no longer in memory. */
  editionOf(state: ProjectState): number | undefined {
    const held = this.loaded.get(state.id)
    return held?.state === state ? held.edition : undefined
  }

  /** As `get`, but null when the project no longer exists. */
  async find(projectId: string): Promise<ProjectState | null> {
    try {
      return await this.get(projectId)
    } catch (error) {
      if (error instanceof AppError && error.refusal === 'INVALID_API_KEY') return null
      throw error
    }
  }

  /** Called after a commit that changed the project. The next request loads it again. */
  forget(projectId: string): void {
    this.states.delete(projectId)
    this.loaded.delete(projectId)
    for (const listener of this.listeners) listener(projectId)
  }

  /** Registers a function that is called after every `forget`, for changes by this process and by others. */
  onForget(listener: (projectId: string) => void): void {
    this.listeners.push(listener)
  }

  private settle(projectId: string, loading: Promise<ProjectState>, state: ProjectState): void {
    if (this.states.get(projectId) === loading) this.loaded.set(projectId, { state, edition: ++this.editions })
  }

  private drop(projectId: string, loading: Promise<ProjectState>): void {
    if (this.states.get(projectId) === loading) this.states.delete(projectId)
  }
}

async function loadProject(
  projectId: string,
  handle: Handle,
  log: Log,
  loaders: readonly PartLoaders[],
): Promise<ProjectState> {
  const row = await findProject(handle, projectId)
  if (!row) throw new AppError('INVALID_API_KEY')
  const [parts, ios, android, payment] = await Promise.all([
    loadParts(loaders, { handle, log, projectId }),
    findStoreSettings(handle, projectId, 'ios'),
    findStoreSettings(handle, projectId, 'android'),
    findStoreSettings(handle, projectId, 'payment'),
  ])
  return {
    ...parts,
    id: row.id,
    slug: row.slug,
    name: row.name,
    timezone: row.timezone,
    allowedOrigins: row.allowedOrigins,
    settings: { ...DEFAULT_SETTINGS, ...row.settings },
    configVersion: row.configVersion,
    suspendedAt: row.suspendedAt,
    ios: ios === null ? null : readIos(ios.config),
    android: android === null ? null : readAndroid(android.config),
    payment: payment === null ? null : readPayment(payment.config),
  }
}

function readIos(config: Record<string, unknown>): IosSettings | null {
  if (typeof config.bundleId !== 'string') return null
  return { bundleId: config.bundleId, appId: typeof config.appId === 'string' ? config.appId : null }
}

function readAndroid({ packageName, clientEmail }: Record<string, unknown>): AndroidSettings | null {
  if (typeof packageName !== 'string') return null
  return { packageName, clientEmail: typeof clientEmail === 'string' ? clientEmail : null }
}

function readPayment({ mode, accountId, publishableKey }: Record<string, unknown>): PaymentSettings | null {
  if (mode !== 'test' && mode !== 'live') return null
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null)
  return { mode, accountId: textOf(accountId), publishableKey: textOf(publishableKey) }
}
