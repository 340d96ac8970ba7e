import { mount } from 'svelte';
import Page from './Page.svelte';

const { form, key, base } = Object.fromEntries(new URLSearchParams(location.search));
mount(Page, { target: document.body, props: { form, sdkKey: key, base } });
