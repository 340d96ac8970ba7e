export { default as People } from './people.tsx';
export { default as Person } from './person.tsx';
