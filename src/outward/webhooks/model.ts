/** `standard`: the body of wire 5.10. `revenuecat`: the body that receivers of that vendor know. */
export const FORMATS = ['standard', 'revenuecat'] as const
export type WebhookFormat = (typeof FORMATS)[number]

export const ENVIRONMENTS = ['PRODUCTION', 'SANDBOX'] as const
export type WebhookEnvironment = (typeof ENVIRONMENTS)[number]

export const MAX_ENDPOINTS = 10
export const MAX_TYPES = 50
export const MAX_URL_CHARACTERS = 2048
export const MAX_AUTHORIZATION_CHARACTERS = 500

/** What a person decides of an endpoint, apart from its `Authorization` value. */
export interface EndpointSettings {
  name: string
  url: string
  eventTypes: string[]
  environments: WebhookEnvironment[]
  isOrdered: boolean
  format: WebhookFormat
  isEnabled: boolean
}

export const DEFAULTS = {
  environments: [...ENVIRONMENTS] as WebhookEnvironment[],
  isOrdered: false,
  format: 'standard' as WebhookFormat,
  isEnabled: true,
}
