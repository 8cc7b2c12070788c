// Files that are embedded as they are. A font gives a path for `Bun.file`, the others their text.
declare module '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2' {
  const path: string
  export default path
}

declare module '@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2' {
  const path: string
  export default path
}

declare module '@fontsource-variable/geist/LICENSE' {
  const text: string
  export default text
}

declare module '@fontsource-variable/geist-mono/LICENSE' {
  const text: string
  export default text
}

declare module '*.css' {
  const text: string
  export default text
}
