const LIFE_MS = 60_000

/** Lets the browser save a text as a file. */
export function saveFile(name: string, parts: string[], type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob(parts, { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), LIFE_MS)
}
