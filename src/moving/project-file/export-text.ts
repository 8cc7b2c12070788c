import type { Config } from '../../base/config'
import { SCHEMA_PATH } from '../../projects/project-file/file-schema'
import type { Current } from '../../projects/project-file/section'
import { toFileContent, writeYaml } from '../../projects/project-file/write-yaml'

interface ExportOptions {
  isJson: boolean
  withIds: boolean
  /** Where a server that was asked for the file is reached; without a public address the schema is read there. */
  origin?: string
}

/** The text of a project file. As YAML it starts with the address of its schema, for editors. */
export const exportText = (
  { publicBaseUrl, port }: Pick<Config, 'publicBaseUrl' | 'port'>,
  current: Current,
  { isJson, withIds, origin = `http://127.0.0.1:${port}` }: ExportOptions,
): string =>
  isJson
    ? toJsonText(toFileContent(current))
    : `# yaml-language-server: $schema=${publicBaseUrl ?? origin}${SCHEMA_PATH}\n${writeYaml(current, { withIds })}`

export const toJsonText = (content: object): string => `${JSON.stringify(content, null, 2)}\n`
