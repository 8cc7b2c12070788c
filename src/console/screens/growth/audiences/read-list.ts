import { api } from '../../../api/client'
import { useProject } from '../../../lib/session'

/** A file with one id a line, as it will be sent. */
export interface ChosenList {
  fileName: string
  /** Lines that are not empty. */
  lines: number
  bytes: Blob
}

/** One byte more than the server accepts: it refuses what is longer, and the rest of it is not read. */
const MOST = 8 * 1024 * 1024 + 1

export async function readList(file: File): Promise<ChosenList> {
  // The bytes are kept, because the file may change before it is sent, and only the server checks that it is UTF-8.
  const bytes = await file.slice(0, MOST).arrayBuffer()
  const text = new TextDecoder().decode(bytes)
  const lines = text.split('\n').filter((line) => line.trim() !== '').length
  return { fileName: file.name, lines, bytes: new Blob([bytes]) }
}

/** Sends the list of ids of an audience; one without ids deletes it. */
export function useMemberList(id: string) {
  const { path } = useProject()
  const send = (list: Blob) =>
    api.putText('/dashboard/projects/{projectId}/audiences/{id}/members', { params: { path: { ...path, id } } }, list)
  return { send }
}
