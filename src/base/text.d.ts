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
