import { sectionKey } from '../../../projects/project-file/model'
import type { WantedSecret } from '../../../projects/project-file/secret'
import type { SecretWord } from '../audit-entry'
import type { NewAuthorization } from '../endpoints'
import type { EndpointSettings } from '../model'

/** An endpoint as the file writes it; its name is its key. */
export interface WantedEndpoint {
  settings: Omit<EndpointSettings, 'name'>
  /** Null = none. */
  authorization: WantedSecret | null
}

/** An endpoint as it is compared. */
export interface EndpointFileState {
  settings: Omit<EndpointSettings, 'name'>
  /** A word in place of the value. */
  authorization: SecretWord
  newAuthorization: NewAuthorization
}

export const WEBHOOK_ENDPOINTS = sectionKey<EndpointFileState, WantedEndpoint>('webhookEndpoints', 'webhookEndpoint')

/** The members in the order of the file. */
export const endpointView = ({ settings, authorization }: EndpointFileState): Record<string, unknown> => ({
  url: settings.url,
  eventTypes: settings.eventTypes,
  environments: settings.environments,
  ordered: settings.isOrdered,
  format: settings.format,
  authorization,
  isEnabled: settings.isEnabled,
})
