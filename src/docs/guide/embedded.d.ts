// Files that are embedded unchanged. A font gives a path for `Bun.file`; the other files give their text.
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
