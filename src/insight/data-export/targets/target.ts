/** Where the files of one run go. */
export interface ExportTarget {
  /** The path under which a file is written until it is complete. Its folder exists. */
  partPath(name: string): string
  /** Puts a complete file in its place. Until then nothing has its name. */
  place(name: string): Promise<void>
  /** Writes a small file at once, in the same way. */
  placeText(name: string, text: string): Promise<void>
  /** Removes what the run has left on this machine. */
  close(): Promise<void>
}
