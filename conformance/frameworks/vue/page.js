import { createApp } from 'vue';
import Page from './Page.vue';

const { form, key, base } = Object.fromEntries(new URLSearchParams(location.search));
createApp(Page, { form, sdkKey: key, base }).mount(document.body);
