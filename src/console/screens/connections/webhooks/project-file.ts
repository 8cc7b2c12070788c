import type { Endpoint } from './model'

const quoted = (text: string): string => JSON.stringify(text)
const list = (items: readonly string[]): string => `[${items.map(quoted).join(', ')}]`

/** The endpoint as the project file has it. JSON texts are YAML texts too. */
export const yamlOf = ({ name, url, eventTypes, environments, ordered, format, isEnabled }: Endpoint): string =>
  [
    'webhookEndpoints:',
    `  ${quoted(name)}:`,
    `    url: ${quoted(url)}`,
    `    eventTypes: ${list(eventTypes)}`,
    `    environments: ${list(environments)}`,
    `    ordered: ${ordered}`,
    `    format: ${format}`,
    `    isEnabled: ${isEnabled}`,
  ].join('\n')
