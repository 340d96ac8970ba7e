export { default as Home } from './home.tsx';
