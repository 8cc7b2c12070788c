import { type Io, UsageError } from './command'

/** The options with which a command works on a server over HTTP instead of on the database of this machine. */
export const remoteOptions = { url: { type: 'string' }, token: { type: 'string' } } as const

/** The lines about them in the help of a command, whose texts start at this column. */
export const remoteHelp = (column: number): string =>
  REMOTE_LINES.map(([name, text]) => `${`  ${name}`.padEnd(column)}${text}`).join('\n')

const REMOTE_LINES = [
  ['--url URL', 'works on this server over HTTP (or SVC_URL); https, or http on this machine'],
  ['--token T', 'a personal access token of your account there (or SVC_TOKEN, which no list of processes shows)'],
] as const

export interface RemoteValues {
  url?: string | undefined
  token?: string | undefined
  data?: string | undefined
}

/** Where a server is, and what opens it. */
export interface RemoteAddress {
  /** Without a slash at its end. */
  address: string
  token: string
}

/** The tokens that a command takes. */
export interface TokenRule {
  form: RegExp
  /** The requirement, worded to follow "--url needs". */
  wanted: string
  /** The accepted values, worded to follow "--token (SVC_TOKEN) takes". */
  accepted: string
}

export const PERSONAL_TOKEN: TokenRule = {
  form: /^svc_pat_[\w-]{1,200}$/,
  wanted: 'a personal access token',
  accepted: 'a personal access token, which begins with svc_pat_',
}

/** The server that the options or the environment name; null = the command works on this machine. */
export function readRemoteAddress(
  { env }: Io,
  { url, token, data }: RemoteValues,
  rule = PERSONAL_TOKEN,
): RemoteAddress | null {
  if (url !== undefined && data !== undefined) throw new UsageError('--url and --data exclude each other')
  // An empty variable counts as not set. An empty option is a mistake, and must not mean this machine.
  const address = url ?? ((data === undefined && env.SVC_URL?.trim()) || undefined)
  if (address === undefined) {
    if (token !== undefined) throw new UsageError('--token belongs to --url')
    return null
  }
  return { address: checkAddress(address), token: checkToken(token ?? env.SVC_TOKEN?.trim(), rule) }
}

/** The address without a slash at its end. A token must never travel in the clear. */
function checkAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isWeb = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (!url || !isWeb || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new UsageError('--url (SVC_URL) takes an address like https://svc.example.com; http only on this machine')
  return url.href.replace(/\/+$/, '')
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)

/** No sentence repeats the token. */
function checkToken(token: string | undefined, { form, wanted, accepted }: TokenRule): string {
  if (!token) throw new UsageError(`--url needs ${wanted}: set SVC_TOKEN, or add --token`)
  if (!form.test(token)) throw new UsageError(`--token (SVC_TOKEN) takes ${accepted}`)
  return token
}
