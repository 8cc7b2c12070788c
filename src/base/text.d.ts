declare module '*.yaml' {
  const text: string
  export default text
}

declare module 'swagger-ui-dist/LICENSE' {
  const text: string
  export default text
}

declare module 'swagger-ui-dist/NOTICE' {
  const text: string
  export default text
}

declare module 'lottie-web/LICENSE.md' {
  const text: string
  export default text
}

declare module 'lottie-web/build/player/lottie_light.min.js' {
  /** For `Bun.file`. */
  const path: string
  export default path
}
