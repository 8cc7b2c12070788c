import type { Current } from '../../projects/project-file/current'
import { toFileContent, writeYaml } from '../../projects/project-file/write-yaml'

interface ExportOptions {
  isJson: boolean
  withIds: boolean
}

/** The text of a project file. */
export const exportText = (current: Current, { isJson, withIds }: ExportOptions): string =>
  isJson ? toJsonText(toFileContent(current)) : writeYaml(current, { withIds })

export const toJsonText = (content: object): string => `${JSON.stringify(content, null, 2)}\n`
