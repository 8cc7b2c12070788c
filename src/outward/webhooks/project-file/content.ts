import { byName, type Content, unless, withoutNulls } from '../../../projects/project-file/content'
import type { Saved } from '../../../projects/project-file/model'
import { SecretVariable } from '../../../projects/project-file/placeholders'
import { DEFAULTS } from '../model'
import type { EndpointFileState } from './model'

/** The endpoints in an exported file; undefined when there are none. */
export const endpointsContent = (saved: readonly Saved<EndpointFileState>[]): Content | undefined =>
  saved.length === 0 ? undefined : byName(saved.map(({ name, state }) => [name, endpointContent(name, state)]))

const endpointContent = (name: string, { settings, authorization }: EndpointFileState): Content =>
  withoutNulls({
    url: settings.url,
    eventTypes: settings.eventTypes,
    environments: settings.environments.length === DEFAULTS.environments.length ? undefined : settings.environments,
    ordered: unless(DEFAULTS.isOrdered, settings.isOrdered),
    format: unless(DEFAULTS.format, settings.format),
    authorization: authorization === null ? null : new SecretVariable(variableOf(name)),
    isEnabled: unless(DEFAULTS.isEnabled, settings.isEnabled),
  })

/** The variable that an exported file names in place of the value: `WEBHOOK_BACKEND_AUTHORIZATION`. */
const variableOf = (name: string): string => `WEBHOOK_${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_AUTHORIZATION`
