import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { pathOf } from '../../base/http/request'
import { SECOND } from '../../base/lib/clock'
import type { Loop } from '../../base/slice'
import type { SliceHooks } from '../../base/state'
import { serverName } from './dns'
import { listVerified } from './queries'

/** A verified name and its project. */
export interface CustomHost {
  hostname: string
  projectId: string
  projectSlug: string
}

/**
 * The verified names of all projects, in memory: every request asks whether its host is one of them. Another process
 * learns of a change within two seconds, and the pages themselves read the row again.
 */
export class CustomHosts {
  private hosts: ReadonlyMap<string, CustomHost> = new Map()

  constructor(private readonly ctx: Pick<Context, 'db' | 'tables' | 'config'>) {}

  /** A name that the deployment itself took later is no custom domain: the console and the API could not be reached there. */
  async refresh(): Promise<void> {
    const { config } = this.ctx
    const own = new Set([serverName(config), ...config.tls.names])
    const rows = (await listVerified(this.ctx)).filter(({ hostname }) => !own.has(hostname))
    this.hosts = new Map(rows.map((row) => [row.hostname, row]))
  }

  /** The name that a request came to, in any case and with any port; null for every other host. */
  at(url: string): CustomHost | null {
    // Without a usable host, Bun gives only the path.
    if (this.hosts.size === 0 || url.startsWith('/')) return null
    return this.hosts.get(hostnameIn(url)) ?? null
  }

  /** Whether a request came to the custom domain of another project, which shows nothing of this one. */
  isOfOther(url: string, projectId: string): boolean {
    const host = this.at(url)
    return host !== null && host.projectId !== projectId
  }
}

/** The host of a URL without its port. It builds no URL object, because it runs for every request. */
function hostnameIn(url: string): string {
  const start = url.indexOf('://') + 3
  const end = url.indexOf('/', start)
  const host = url.slice(start, end === -1 ? undefined : end).toLowerCase()
  return host.replace(/(:\d*)?$/, '').replace(/\.$/, '')
}

/** On a custom domain only files of its own project are served; their address names the project. */
export const refuseOtherFiles: SliceHooks['earlyAnswers'] = (ctx, { url }) => {
  const path = pathOf(url)
  const [, projectId] = /^\/assets\/([^/]*)\//.exec(path) ?? []
  if (projectId !== undefined && ctx.state.customHosts.isOfOther(url, projectId)) throw notFound('file', path)
  return undefined
}

export const customHostLoop: Loop = {
  name: 'custom-hosts',
  everyMs: 2 * SECOND,
  isRunAtStart: true,
  run: (ctx) => ctx.state.customHosts.refresh(),
}

declare module '../../base/state' {
  interface SliceState {
    customHosts: CustomHosts
  }
}
