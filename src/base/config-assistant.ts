import type { Reader } from './config-reader'

export const PROVIDERS = ['anthropic', 'openai', 'compatible'] as const
export type ProviderName = (typeof PROVIDERS)[number]

/** A model that can answer. */
export interface AssistantConfig {
  provider: ProviderName
  /** Null for a server that needs no key. */
  apiKey: string | null
  model: string
  /** Null = the address of the provider. */
  baseUrl: string | null
}

/** The server's own model, for projects without one; null = none. */
export function readAssistant(read: Reader): AssistantConfig | null {
  const provider = read.choice('SVC_ASSISTANT_PROVIDER', PROVIDERS)
  const [apiKey, model] = [read.text('SVC_ASSISTANT_KEY') ?? null, read.text('SVC_ASSISTANT_MODEL')]
  const baseUrl = readAddress(read)
  if (provider === null) return null
  if (model === undefined)
    read.fault('SVC_ASSISTANT_MODEL', '', 'the name of a model, because SVC_ASSISTANT_PROVIDER is set')
  if (apiKey === null && provider !== 'compatible') read.secretFault('SVC_ASSISTANT_KEY', 'a key of the provider')
  if (baseUrl === null && provider === 'compatible')
    read.fault('SVC_ASSISTANT_URL', '', 'the address of the server, because SVC_ASSISTANT_PROVIDER is compatible')
  return { provider, apiKey, model: model ?? '', baseUrl }
}

function readAddress(read: Reader): string | null {
  const given = read.text('SVC_ASSISTANT_URL')
  if (given === undefined) return null
  const url = URL.parse(given)
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '')
    return given.replace(/\/+$/, '')
  read.fault('SVC_ASSISTANT_URL', given, 'an http(s) address')
  return null
}
