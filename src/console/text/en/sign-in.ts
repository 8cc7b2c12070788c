export const texts = {
  title: 'sign-in',
}
