import type { Schemas } from '../../../api/schemas'

export type Endpoint = Schemas['WebhookEndpoint']

export const PATH = '/dashboard/projects/{projectId}/webhook-endpoints'

/** What a person can set of an endpoint, as a form holds it. */
export interface Draft {
  name: string
  url: string
  eventTypes: string[]
  environments: ('PRODUCTION' | 'SANDBOX')[]
  ordered: boolean
  format: 'standard' | 'revenuecat'
  /** Written only; empty means that it stays as it is. */
  authorization: string
}

export const EMPTY_DRAFT: Draft = {
  name: '',
  url: '',
  eventTypes: ['*'],
  environments: ['PRODUCTION', 'SANDBOX'],
  ordered: false,
  format: 'standard',
  authorization: '',
}

export const draftOf = ({ name, url, eventTypes, environments, ordered, format }: Endpoint): Draft => ({
  ...{ name, url, eventTypes, environments, ordered, format, authorization: '' },
})

export const bodyOf = ({ authorization, ...rest }: Draft) => ({
  ...rest,
  ...(authorization !== '' && { authorization }),
})
