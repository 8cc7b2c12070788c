import type { Context } from '../../../base/context'
import { SECOND } from '../../../base/lib/clock'
import type { AppLinks } from '../../../core/app-links/model'
import { listProjectHostnames, NameServers } from '../../domains/service'
import { ANDROID_FILE, APPLE_FILE } from './files'
import { findAppLinks } from './queries'

export interface FileCheck {
  check: 'apple_file' | 'android_file'
  host: string
  status: 'OK' | 'FAILED' | 'UNKNOWN'
  detail: string
}

const LIMITS = { timeoutMs: 8 * SECOND, maxBytes: 128 * 1024 }

/**
 * Reads the files as phones do, on the own host and on every verified name of the project: over https with a valid
 * certificate, without a redirect, as JSON with the app in it.
 */
export async function checkFiles(ctx: Context, projectId: string): Promise<FileCheck[]> {
  const links = await findAppLinks(ctx, projectId)
  const wanted = links ? filesOf(links) : []
  const names = wanted.length === 0 ? [] : await listProjectHostnames(ctx, projectId)
  const hosts = [ownHost(ctx), ...names.slice(0, MOST_NAMES).map((host) => ({ host, isCustom: true }))]
  return Promise.all(hosts.flatMap((host) => wanted.map((one) => checkFile(ctx, host, one))))
}

/** A check has to answer in time. */
const MOST_NAMES = 20

interface CheckedHost {
  host: string
  /** A custom domain is looked up at the name servers that it is proved by. */
  isCustom: boolean
}

const ownHost = ({ config: { publicBaseUrl } }: Context): CheckedHost => ({
  host: publicBaseUrl === null ? '' : new URL(publicBaseUrl).host,
  isCustom: false,
})

interface WantedFile {
  check: FileCheck['check']
  path: string
  /** What the file must contain. */
  names: readonly string[]
}

const filesOf = ({ ios, android }: AppLinks): WantedFile[] => [
  ...(ios
    ? [{ check: 'apple_file' as const, path: APPLE_FILE, names: ios.bundleIds.map((id) => `${ios.teamId}.${id}`) }]
    : []),
  ...(android ? [{ check: 'android_file' as const, path: ANDROID_FILE, names: android.packageNames }] : []),
]

async function checkFile(
  ctx: Context,
  { host, isCustom }: CheckedHost,
  { check, path, names }: WantedFile,
): Promise<FileCheck> {
  if (host === '')
    return {
      check,
      host: '',
      status: 'UNKNOWN',
      detail: 'The server does not know its public address (PUBLIC_BASE_URL)',
    }
  const origin = isCustom ? `https://${host}` : new URL(ctx.config.publicBaseUrl ?? '').origin
  const resolve = isCustom ? { resolve: customResolve(ctx) } : {}
  const found = await ctx.state.outgoing.call(`${origin}${path}`, { redirect: 'manual', ...resolve }, LIMITS)
  if (!found.ok) return { check, host, ...unread(found.reason) }
  const fault = faultOf(found, names)
  return {
    check,
    host,
    status: fault === null ? 'OK' : 'FAILED',
    detail: fault ?? 'The file is served and names the app',
  }
}

const customResolve =
  ({ config }: Context) =>
  async (host: string): Promise<string[]> =>
    (await new NameServers(config.domains.nameServers).ips(host)) ?? []

/** Whether the address is none that a phone can reach, or only this server cannot reach it. */
const unread = (reason: string): Pick<FileCheck, 'status' | 'detail'> =>
  reason === 'timeout' || reason === 'unreachable' || reason === 'unresolvable'
    ? { status: 'UNKNOWN', detail: `The address did not answer this server (${reason}); check its certificate and DNS` }
    : { status: 'FAILED', detail: `Phones cannot use this address (${reason})` }

interface Answered {
  status: number
  headers: Headers
  body: Uint8Array
}

function faultOf({ status, headers, body }: Answered, names: readonly string[]): string | null {
  if (status >= 300 && status < 400) return 'The file is redirected; phones do not follow a redirect'
  if (status !== 200) return `The file is answered with ${status}`
  if (!headers.get('content-type')?.startsWith('application/json')) return 'The file is not served as application/json'
  const texts = textsOf(new TextDecoder().decode(body))
  if (texts === null) return 'The file is no JSON'
  const missing = names.filter((name) => !texts.has(name))
  return missing.length === 0 ? null : `The file does not name ${missing.join(', ')}`
}

/** Every text in a JSON document. */
function textsOf(json: string): Set<string> | null {
  try {
    const texts = new Set<string>()
    JSON.parse(json, (_name, value) => {
      if (typeof value === 'string') texts.add(value)
      return value
    })
    return texts
  } catch {
    return null
  }
}
